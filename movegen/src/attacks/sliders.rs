//! Rook and bishop attacks by table lookup, indexed by magic multiplication ("fancy" magic
//! bitboards).

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{Lines, lines};
use crate::bitboard::Bitboard;
use crate::square::{File, Square};

/// The start of a square's part of the table, and the hash of an occupancy into it.
#[derive(Clone, Copy)]
struct Slot {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// The relevant occupancy: the lines without their last squares.
const fn relevant_occupancy(attacks: u64, square: Square) -> u64 {
    let (file, rank) = (
        Bitboard::file(square.file()).0,
        Bitboard::rank(square.rank()).0,
    );
    let files = (Bitboard::file(File::A).0 | Bitboard::file(File::H).0) & !file;
    let ranks = Bitboard::BACK_RANKS.0 & !rank;
    attacks & !files & !ranks
}

const fn by_rays(rook: bool, lines: &Lines, occupied: u64) -> Bitboard {
    if rook {
        lines.rook(Bitboard(occupied))
    } else {
        lines.bishop(Bitboard(occupied))
    }
}

const fn slots(rook: bool) -> [Slot; 64] {
    let mut slots = [Slot {
        mask: 0,
        magic: 0,
        offset: 0,
        shift: 0,
    }; 64];
    let mut offset = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::wrapping(index as u8);
        let magics = if rook { &ROOK_MAGICS } else { &BISHOP_MAGICS };
        let magic = magics[index];
        let mask = relevant_occupancy(by_rays(rook, &lines(square), 0).0, square);
        let bits = mask.count_ones();
        slots[index] = Slot {
            mask,
            magic,
            offset,
            shift: 64 - bits,
        };
        offset += 1 << bits;
        index += 1;
    }
    slots
}

/// Fills the attack table: for every square, every subset of its mask (carry-rippler).
const fn fill<const ENTRIES: usize>(rook: bool, slots: &[Slot; 64]) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut index = 0;
    while index < 64 {
        let lines = lines(Square::wrapping(index as u8));
        let slot = slots[index];
        let mut occupied = 0u64;
        loop {
            let hash = (occupied.wrapping_mul(slot.magic) >> slot.shift) as usize;
            table[slot.offset as usize + hash] = by_rays(rook, &lines, occupied);
            occupied = occupied.wrapping_sub(slot.mask) & slot.mask;
            if occupied == 0 {
                break;
            }
        }
        index += 1;
    }
    table
}

static ROOK_SLOTS: [Slot; 64] = slots(true);
static BISHOP_SLOTS: [Slot; 64] = slots(false);
#[allow(long_running_const_eval)]
static ROOK_ATTACKS: [Bitboard; ROOK_ENTRIES] = fill(true, &slots(true));
static BISHOP_ATTACKS: [Bitboard; BISHOP_ENTRIES] = fill(false, &slots(false));

#[inline(always)]
fn look_up(table: &[Bitboard], slot: &Slot, occupied: Bitboard) -> Bitboard {
    let hash = (occupied.0 & slot.mask).wrapping_mul(slot.magic) >> slot.shift;
    let index = slot.offset as usize + hash as usize;
    debug_assert!(index < table.len());
    // SAFETY: the hash has 64 - shift bits, and `slots` reserves 2^(64 - shift) entries from
    // `offset` for this slot.
    unsafe { *table.get_unchecked(index) }
}

#[inline(always)]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOK_ATTACKS, &ROOK_SLOTS[square.index()], occupied)
}

#[inline(always)]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP_ATTACKS, &BISHOP_SLOTS[square.index()], occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attacks found step by step.
    fn walk(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for &(df, dr) in steps {
            let mut next = square.try_offset(df, dr);
            while let Some(reached) = next {
                attacked |= Bitboard::of(reached);
                if occupied.has(reached) {
                    break;
                }
                next = reached.try_offset(df, dr);
            }
        }
        attacked
    }

    /// Every subset of every mask; under Miri, which is slow, some of them.
    #[test]
    fn lookups_and_rays_equal_the_stepwise_attacks() {
        const STEP: usize = if cfg!(miri) { 199 } else { 1 };
        let rook_steps = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let bishop_steps = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        for (is_rook, slots, steps) in [
            (true, &ROOK_SLOTS, rook_steps),
            (false, &BISHOP_SLOTS, bishop_steps),
        ] {
            for square in Square::all() {
                for set in Bitboard(slots[square.index()].mask).subsets().step_by(STEP) {
                    let expected = walk(square, set, &steps);
                    let found = if is_rook {
                        rook(square, set)
                    } else {
                        bishop(square, set)
                    };
                    assert_eq!(found, expected, "rook: {is_rook}, {square} {set:?}");
                    assert_eq!(by_rays(is_rook, &lines(square), set.0), expected);
                }
            }
        }
    }
}
