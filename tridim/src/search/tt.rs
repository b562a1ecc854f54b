//! The transposition table (TT), shared by all threads without locks.
//!
//! An entry is two words; the first is the key XORed with the second, so that an entry torn by
//! two writers matches no key.

use std::sync::atomic::{AtomicU64, Ordering};

use super::score::Score;

/// The bound a stored score is of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    Lower,
    Upper,
}

/// An entry about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TtEntry {
    pub(super) score: Score,
    pub(super) depth: u32,
    pub(super) bound: Bound,
    /// The best move as an index into the legal moves.
    pub(super) best: usize,
}

#[derive(Debug, Default)]
struct Entry {
    mixed: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug)]
pub(super) struct TranspositionTable {
    entries: Box<[Entry]>,
}

impl TranspositionTable {
    pub(super) fn new(entries: usize) -> Self {
        let entries = entries.max(1).next_power_of_two();
        Self {
            entries: (0..entries).map(|_| Entry::default()).collect(),
        }
    }

    fn entry(&self, key: u64) -> &Entry {
        // The length is a power of two: the mask is in bounds.
        &self.entries[key as usize & (self.entries.len() - 1)]
    }

    pub(super) fn probe(&self, key: u64, ply: u32) -> Option<TtEntry> {
        let entry = self.entry(key);
        let data = entry.data.load(Ordering::Relaxed);
        if entry.mixed.load(Ordering::Relaxed) ^ data != key || data == 0 {
            return None;
        }
        Some(TtEntry {
            score: Score::from_table(data as u16 as i16, ply),
            depth: u32::from((data >> 16) as u8),
            best: usize::from((data >> 24) as u8),
            bound: match data >> 32 & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
        })
    }

    pub(super) fn store(&self, key: u64, ply: u32, stored: TtEntry) {
        let bound = match stored.bound {
            Bound::Exact => 1u64,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let depth = stored.depth.min(u32::from(u8::MAX));
        // No position has nearly 255 moves; one that did would only be ordered less well.
        let best = stored.best.min(usize::from(u8::MAX)) as u64;
        let score = u64::from(stored.score.to_table(ply) as u16);
        let data = score | u64::from(depth) << 16 | best << 24 | bound << 32;
        let entry = self.entry(key);
        entry.mixed.store(key ^ data, Ordering::Relaxed);
        entry.data.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Score, TranspositionTable, TtEntry};

    #[test]
    fn what_is_stored_is_found_by_its_key_alone() {
        let table = TranspositionTable::new(1000);
        let stored = TtEntry {
            score: Score::centipawns(-137),
            depth: 9,
            bound: Bound::Upper,
            best: 41,
        };
        assert_eq!(table.probe(77, 0), None);
        table.store(77, 0, stored);
        assert_eq!(table.probe(77, 0), Some(stored));
        assert_eq!(table.probe(77 + 1024, 0), None, "same slot, other key");
    }

    #[test]
    fn a_mate_is_as_far_from_every_node() {
        let table = TranspositionTable::new(1);
        let mated = TtEntry {
            score: Score::mated(7),
            depth: 1,
            bound: Bound::Exact,
            best: 0,
        };
        // Found at ply 5: mated at ply 7, two plies later. From ply 1 that is ply 3.
        table.store(5, 5, mated);
        assert_eq!(
            table.probe(5, 1).map(|stored| stored.score),
            Some(Score::mated(3))
        );
    }
}
