//! Rook and bishop attacks by table lookup.
//!
//! Two index functions give the same attacks: magic multiplication, fast on every processor, and
//! PEXT, faster where the hardware has it. A `SliderLookup` value selects one; a `Pext` exists
//! only if the processor supports it.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{Lines, lines};
use crate::bitboard::Bitboard;
use crate::square::{File, Square};

/// A way to look up slider attacks.
pub(crate) trait SliderLookup: Copy {
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// Lookup by magic multiplication.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Magic;

/// Lookup by parallel bit extract (PEXT).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pext(());

/// Where a square's part of the table starts, and how occupancies index it.
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

/// Fills the attack table of every square, indexed by magic or by PEXT. The loop enumerates the
/// subsets of a mask in ascending order (carry-rippler), which is the PEXT order.
const fn fill<const ENTRIES: usize>(
    rook: bool,
    slots: &[Slot; 64],
    by_pext: bool,
) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut index = 0;
    while index < 64 {
        let lines = lines(Square::wrapping(index as u8));
        let slot = slots[index];
        let mut occupied = 0u64;
        let mut subset_number = 0;
        loop {
            let entry = if by_pext {
                subset_number
            } else {
                (occupied.wrapping_mul(slot.magic) >> slot.shift) as usize
            };
            table[slot.offset as usize + entry] = by_rays(rook, &lines, occupied);
            occupied = occupied.wrapping_sub(slot.mask) & slot.mask;
            subset_number += 1;
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
static ROOK_BY_MAGIC: [Bitboard; ROOK_ENTRIES] = fill(true, &slots(true), false);
static BISHOP_BY_MAGIC: [Bitboard; BISHOP_ENTRIES] = fill(false, &slots(false), false);
#[cfg(target_arch = "x86_64")]
#[allow(long_running_const_eval)]
static ROOK_BY_PEXT: [Bitboard; ROOK_ENTRIES] = fill(true, &slots(true), true);
#[cfg(target_arch = "x86_64")]
static BISHOP_BY_PEXT: [Bitboard; BISHOP_ENTRIES] = fill(false, &slots(false), true);

impl Magic {
    #[inline(always)]
    fn look_up(table: &[Bitboard], slot: &Slot, occupied: Bitboard) -> Bitboard {
        let hash = (occupied.0 & slot.mask).wrapping_mul(slot.magic) >> slot.shift;
        let index = slot.offset as usize + hash as usize;
        debug_assert!(index < table.len());
        // SAFETY: the hash has 64 - shift bits, and `slots` reserves 2^(64 - shift) entries from
        // `offset` for this slot.
        unsafe { *table.get_unchecked(index) }
    }
}

impl SliderLookup for Magic {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::look_up(&ROOK_BY_MAGIC, &ROOK_SLOTS[square.index()], occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Self::look_up(&BISHOP_BY_MAGIC, &BISHOP_SLOTS[square.index()], occupied)
    }
}

#[cfg(target_arch = "x86_64")]
impl Pext {
    /// Detects PEXT and everything else that `perft::bmi` is compiled for.
    pub(crate) fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        present.then_some(Self(()))
    }

    #[inline(always)]
    fn look_up(self, table: &[Bitboard], slot: &Slot, occupied: Bitboard) -> Bitboard {
        // SAFETY: a `Pext` exists only if `detect` found BMI2.
        let subset = unsafe { std::arch::x86_64::_pext_u64(occupied.0, slot.mask) };
        let index = slot.offset as usize + subset as usize;
        debug_assert!(index < table.len());
        // SAFETY: the extracted number is below 2^popcount(mask), and `slots` reserves that many
        // entries from `offset` for this slot.
        unsafe { *table.get_unchecked(index) }
    }
}

#[cfg(target_arch = "x86_64")]
impl SliderLookup for Pext {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&ROOK_BY_PEXT, &ROOK_SLOTS[square.index()], occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&BISHOP_BY_PEXT, &BISHOP_SLOTS[square.index()], occupied)
    }
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

    /// Compares the attacks by rays and by `lookup` with the stepwise attacks on every subset of
    /// every mask; under Miri, which is slow, on some of them.
    fn check_every_subset(lookup: impl SliderLookup) {
        const STEP: usize = if cfg!(miri) { 199 } else { 1 };
        let rook_steps = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let bishop_steps = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        for (rook, slots, steps) in [
            (true, &ROOK_SLOTS, rook_steps),
            (false, &BISHOP_SLOTS, bishop_steps),
        ] {
            for square in Square::all() {
                for set in Bitboard(slots[square.index()].mask).subsets().step_by(STEP) {
                    let expected = walk(square, set, &steps);
                    let found = if rook {
                        lookup.rook(square, set)
                    } else {
                        lookup.bishop(square, set)
                    };
                    assert_eq!(found, expected, "rook: {rook}, {square} {set:?}");
                    assert_eq!(by_rays(rook, &lines(square), set.0), expected);
                }
            }
        }
    }

    #[test]
    fn every_entry_equals_the_stepwise_attacks() {
        check_every_subset(Magic);
        #[cfg(target_arch = "x86_64")]
        if let Some(pext) = Pext::detect() {
            check_every_subset(pext);
        }
    }
}
