//! The table of proof numbers, for one attacker and one game. Grows as it fills, up to a limit;
//! then the entry that took the least work is replaced.

use super::proof::ProofNumbers;

/// The entry of one position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The numbers for a mate in `moves` moves.
    numbers: ProofNumbers,
    moves: u8,
    /// The attacker mates in this many moves.
    mates_in: u8,
    /// The attacker does not mate in fewer moves.
    no_mate_below: u8,
    /// The nodes it took, as a power of two.
    work: u8,
}

/// Marks empty entries. A position with this key would only be searched anew each time.
const NO_KEY: u64 = 0;
const NEVER: u8 = u8::MAX;

impl Entry {
    const EMPTY: Self = Self {
        key: NO_KEY,
        numbers: ProofNumbers::LOST,
        moves: 0,
        mates_in: NEVER,
        no_mate_below: 0,
        work: 0,
    };
}

/// The entries a position may use.
const BUCKET: usize = 4;
const FIRST_ENTRIES: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct ProofTable {
    /// Their number is a power of two.
    entries: Vec<Entry>,
    filled: usize,
    most_entries: usize,
}

impl ProofTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let bytes = megabytes.saturating_mul(1 << 20);
        Self {
            entries: vec![Entry::EMPTY; FIRST_ENTRIES],
            filled: 0,
            most_entries: bytes / size_of::<Entry>(),
        }
    }

    fn bucket(&mut self, key: u64) -> &mut [Entry] {
        let start = key as usize & (self.entries.len() - 1) & !(BUCKET - 1);
        &mut self.entries[start..start + BUCKET]
    }

    /// The numbers for a mate in this many moves; `None` when nothing is known.
    pub(super) fn find(&mut self, key: u64, moves: u8, attacks: bool) -> Option<ProofNumbers> {
        let entry = self.bucket(key).iter().find(|entry| entry.key == key)?;
        if entry.mates_in <= moves {
            Some(if attacks {
                ProofNumbers::WON
            } else {
                ProofNumbers::LOST
            })
        } else if moves < entry.no_mate_below {
            Some(if attacks {
                ProofNumbers::LOST
            } else {
                ProofNumbers::WON
            })
        } else {
            (entry.moves == moves).then_some(entry.numbers)
        }
    }

    /// The fewest moves in which a mate is proven.
    pub(super) fn mates_in(&mut self, key: u64) -> Option<u8> {
        let entry = self.bucket(key).iter().find(|entry| entry.key == key)?;
        (entry.mates_in != NEVER).then_some(entry.mates_in)
    }

    pub(super) fn store(
        &mut self,
        key: u64,
        moves: u8,
        attacks: bool,
        numbers: ProofNumbers,
        nodes: u64,
    ) {
        let work = nodes.max(1).ilog2() as u8;
        let bucket = self.bucket(key);
        let Some(entry) = bucket
            .iter_mut()
            .min_by_key(|entry| (entry.key != key, entry.key != NO_KEY, entry.work))
        else {
            return;
        };
        let new = entry.key == NO_KEY;
        if entry.key != key {
            *entry = Entry {
                key,
                ..Entry::EMPTY
            };
        }
        entry.work = entry.work.max(work);
        if numbers.is_proven() {
            if (numbers == ProofNumbers::WON) == attacks {
                entry.mates_in = entry.mates_in.min(moves);
            } else {
                entry.no_mate_below = entry.no_mate_below.max(moves + 1);
            }
        } else {
            (entry.moves, entry.numbers) = (moves, numbers);
        }
        self.filled += usize::from(new);
        if self.filled > self.entries.len() / 2 {
            self.grow();
        }
    }

    /// Doubles the table, if there is memory.
    fn grow(&mut self) {
        let wanted = self.entries.len() * 2;
        let mut entries = Vec::new();
        if wanted > self.most_entries || entries.try_reserve_exact(wanted).is_err() {
            return;
        }
        entries.resize(wanted, Entry::EMPTY);
        let old = std::mem::replace(&mut self.entries, entries);
        self.filled = 0;
        for entry in old.into_iter().filter(|entry| entry.key != NO_KEY) {
            let bucket = self.bucket(entry.key);
            if let Some(free) = bucket.iter_mut().find(|entry| entry.key == NO_KEY) {
                *free = entry;
                self.filled += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof::Count;
    use super::*;
    use common::rng::split_mix;

    const OPEN: ProofNumbers = ProofNumbers {
        phi: Count(3),
        delta: Count(7),
    };

    #[test]
    fn a_mate_holds_for_more_moves_and_its_absence_for_fewer() {
        let mut table = ProofTable::new(1);
        table.store(17, 3, true, ProofNumbers::WON, 1);
        table.store(17, 1, true, ProofNumbers::LOST, 1);
        assert_eq!(table.find(17, 2, true), None);
        for (moves, attacker, defender) in [
            (1, ProofNumbers::LOST, ProofNumbers::WON),
            (3, ProofNumbers::WON, ProofNumbers::LOST),
            (9, ProofNumbers::WON, ProofNumbers::LOST),
        ] {
            assert_eq!(table.find(17, moves, true), Some(attacker));
            assert_eq!(table.find(17, moves, false), Some(defender));
        }
        assert_eq!(table.mates_in(17), Some(3));
    }

    #[test]
    fn unproven_numbers_are_stored_for_their_number_of_moves() {
        let mut table = ProofTable::new(1);
        table.store(17, 4, false, OPEN, 1);
        assert_eq!(table.find(17, 4, false), Some(OPEN));
        assert_eq!(table.find(17, 3, false), None);
        assert_eq!(table.find(18, 4, false), None);
        assert_eq!(table.mates_in(17), None);
    }

    #[test]
    fn grows_and_keeps_nearly_everything_while_there_is_room() {
        let spread = |number| split_mix(number) | 1;
        let count = 4 * FIRST_ENTRIES as u64;
        let mut table = ProofTable::new(64);
        for number in 1..=count {
            table.store(spread(number), 5, true, ProofNumbers::WON, 1);
        }
        let kept = (1..=count).filter(|&number| table.mates_in(spread(number)).is_some());
        // Some buckets overflow.
        assert!(kept.count() as u64 > count * 9 / 10);
    }

    #[test]
    fn a_full_bucket_keeps_the_entry_that_took_most_work() {
        let mut table = ProofTable::new(0);
        table.store(4, 5, true, ProofNumbers::WON, 1 << 20);
        for number in 2..100 {
            table.store(number << 32 | 4, 5, true, ProofNumbers::WON, 1);
        }
        assert_eq!(table.mates_in(4), Some(5));
    }
}
