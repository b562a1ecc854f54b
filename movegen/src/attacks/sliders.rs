//! Rook and bishop attacks by table.
//!
//! Two ways to the same answer: multiplication ("magic"), which every processor does
//! well, and PEXT, which is quicker where the hardware has it. A `Lookup` value stands for
//! one of them; holding a `Pext` proves that the processor was asked.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::{bishop_by_lines, rook_by_lines};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// A way to look slider attacks up.
pub(crate) trait Lookup: Copy {
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// Lookup by multiplication.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Magic;

/// Lookup by parallel bit extract; exists only where the processor has it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pext(());

/// Where one square's part of a table lies, and how occupancies map into it.
#[derive(Clone, Copy)]
struct Slot {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// The squares whose occupancy matters: the lines without their last squares.
const fn relevant(attacks: u64, square: Square) -> u64 {
    let (file, rank) = (
        Bitboard::file(square.file()).0,
        Bitboard::rank(square.rank()).0,
    );
    let files = (Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !file;
    let ranks = Bitboard::BACK_RANKS.0 & !rank;
    attacks & !files & !ranks
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
        let (attacks, magic) = if rook {
            (rook_by_lines(square, Bitboard::EMPTY), ROOK_MAGICS[index])
        } else {
            (
                bishop_by_lines(square, Bitboard::EMPTY),
                BISHOP_MAGICS[index],
            )
        };
        let mask = relevant(attacks.0, square);
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

/// Every attack set of every square, in magic order or in PEXT order (which is the order
/// in which the subsets of a mask are counted up).
const fn fill<const ENTRIES: usize>(
    rook: bool,
    slots: &[Slot; 64],
    by_pext: bool,
) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut index = 0;
    while index < 64 {
        let square = Square::wrapping(index as u8);
        let slot = slots[index];
        let mut occupied = 0u64;
        let mut rank_of_subset = 0;
        loop {
            let place = if by_pext {
                rank_of_subset
            } else {
                (occupied.wrapping_mul(slot.magic) >> slot.shift) as usize
            };
            table[slot.offset as usize + place] = if rook {
                rook_by_lines(square, Bitboard(occupied))
            } else {
                bishop_by_lines(square, Bitboard(occupied))
            };
            occupied = occupied.wrapping_sub(slot.mask) & slot.mask;
            rank_of_subset += 1;
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
        let place = slot.offset as usize + hash as usize;
        debug_assert!(place < table.len());
        // SAFETY: the hash has 64 - shift bits, and the table was laid out with
        // 2^(64 - shift) entries from `offset` on for this very slot.
        unsafe { *table.get_unchecked(place) }
    }
}

impl Lookup for Magic {
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
    /// Asks the processor, once; everything `perft::bmi` compiles for must be there.
    pub(crate) fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        present.then_some(Self(()))
    }

    #[inline(always)]
    fn look_up(self, table: &[Bitboard], slot: &Slot, occupied: Bitboard) -> Bitboard {
        // SAFETY: `self` exists only after `detect` saw BMI2.
        let subset = unsafe { std::arch::x86_64::_pext_u64(occupied.0, slot.mask) };
        let place = slot.offset as usize + subset as usize;
        debug_assert!(place < table.len());
        // SAFETY: the subset's number is below 2^popcount(mask), and the table was laid
        // out with that many entries from `offset` on for this very slot.
        unsafe { *table.get_unchecked(place) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Lookup for Pext {
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
    use crate::attacks::rays::{bishop_by_lines, rook_by_lines};

    /// Steps square by square, as one would with a finger on the board.
    fn walk(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for &(df, dr) in steps {
            let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let reached = Square::at(file as u8, rank as u8);
                attacked |= Bitboard::of(reached);
                if occupied.has(reached) {
                    break;
                }
                file += df;
                rank += dr;
            }
        }
        attacked
    }

    fn check_every_subset(rook: bool) {
        let slots = if rook { &ROOK_SLOTS } else { &BISHOP_SLOTS };
        for square in Square::all() {
            let mask = slots[square.index()].mask;
            let mut occupied = 0u64;
            loop {
                let set = Bitboard(occupied);
                let (by_walk, by_lines, by_magic) = if rook {
                    let steps = [(0, 1), (0, -1), (1, 0), (-1, 0)];
                    (
                        walk(square, set, &steps),
                        rook_by_lines(square, set),
                        Magic.rook(square, set),
                    )
                } else {
                    let steps = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
                    let lines = bishop_by_lines(square, set);
                    (walk(square, set, &steps), lines, Magic.bishop(square, set))
                };
                assert_eq!(by_walk, by_lines, "{square} {set:?}");
                assert_eq!(by_walk, by_magic, "{square} {set:?}");
                #[cfg(target_arch = "x86_64")]
                if let Some(pext) = Pext::detect() {
                    let by_pext = if rook {
                        pext.rook(square, set)
                    } else {
                        pext.bishop(square, set)
                    };
                    assert_eq!(by_walk, by_pext, "{square} {set:?}");
                }
                occupied = occupied.wrapping_sub(mask) & mask;
                if occupied == 0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn every_rook_entry_is_what_a_finger_finds() {
        check_every_subset(true);
    }

    #[test]
    fn every_bishop_entry_is_what_a_finger_finds() {
        check_every_subset(false);
    }
}
