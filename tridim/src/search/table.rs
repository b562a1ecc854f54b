//! The table of positions searched before, shared by all threads without a lock.
//!
//! An entry is two words, the first of them the key mixed with the second: an entry torn by
//! two writers fits no key and is taken for a stranger's.

use super::score::Score;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) score: Score,
    pub(super) depth: u32,
    pub(super) bound: Bound,
    /// The best move, as its place among the legal ones.
    pub(super) best: usize,
}

#[derive(Debug, Default)]
struct Entry {
    mixed: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug)]
pub(super) struct Table {
    entries: Box<[Entry]>,
}

impl Table {
    pub(super) fn new(entries: usize) -> Self {
        let entries = entries.max(1).next_power_of_two();
        Self {
            entries: (0..entries).map(|_| Entry::default()).collect(),
        }
    }

    fn entry(&self, key: u64) -> &Entry {
        // The length is a power of two, so the mask stays inside.
        &self.entries[key as usize & (self.entries.len() - 1)]
    }

    pub(super) fn probe(&self, key: u64, ply: u32) -> Option<Known> {
        let entry = self.entry(key);
        let data = entry.data.load(Ordering::Relaxed);
        if entry.mixed.load(Ordering::Relaxed) ^ data != key || data == 0 {
            return None;
        }
        Some(Known {
            score: Score::from_table(data as u16 as i16, ply),
            depth: u32::from((data >> 16) as u8),
            best: usize::from((data >> 24) as u8),
            bound: match data >> 32 & 3 {
                1 => Bound::Exact,
                2 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
        })
    }

    pub(super) fn store(&self, key: u64, ply: u32, known: Known) {
        let bound = match known.bound {
            Bound::Exact => 1u64,
            Bound::AtLeast => 2,
            Bound::AtMost => 3,
        };
        let depth = known.depth.min(u32::from(u8::MAX));
        // No position comes near 255 moves; one that did would only be ordered less well.
        let best = known.best.min(usize::from(u8::MAX)) as u64;
        let score = u64::from(known.score.to_table(ply) as u16);
        let data = score | u64::from(depth) << 16 | best << 24 | bound << 32;
        let entry = self.entry(key);
        entry.mixed.store(key ^ data, Ordering::Relaxed);
        entry.data.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Known, Score, Table};

    #[test]
    fn what_is_stored_is_found_by_its_key_alone() {
        let table = Table::new(1000);
        let known = Known {
            score: Score::centipawns(-137),
            depth: 9,
            bound: Bound::AtMost,
            best: 41,
        };
        assert_eq!(table.probe(77, 0), None);
        table.store(77, 0, known);
        assert_eq!(table.probe(77, 0), Some(known));
        assert_eq!(
            table.probe(77 + 1024, 0),
            None,
            "the same place, another key"
        );
    }

    #[test]
    fn a_mate_is_as_far_from_every_node() {
        let table = Table::new(1);
        let mated = Known {
            score: Score::mated(7),
            depth: 1,
            bound: Bound::Exact,
            best: 0,
        };
        // Found mated on ply 7 at ply 5: two plies on. From ply 1 it is ply 3.
        table.store(5, 5, mated);
        assert_eq!(
            table.probe(5, 1).map(|known| known.score),
            Some(Score::mated(3))
        );
    }
}
