//! What is known of positions, for one question: who attacks does not change, nor what the
//! game has seen. Grows as it fills, to a size given; then what took least work gives way.

use super::effort::Effort;

/// What is known of one position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// For so many moves of the attacker's.
    effort: Effort,
    moves: u8,
    /// He mates in so many moves, or more.
    mates_in: u8,
    /// In fewer than so many he does not.
    no_mate_below: u8,
    /// What it took, as a power of two.
    work: u8,
}

/// No position has this key, as far as anyone will ever notice: such a one would only be looked
/// at anew each time.
const NO_KEY: u64 = 0;
const NEVER: u8 = u8::MAX;

impl Entry {
    const EMPTY: Self = Self {
        key: NO_KEY,
        effort: Effort::LOST,
        moves: 0,
        mates_in: NEVER,
        no_mate_below: 0,
        work: 0,
    };
}

/// Entries that a position may take.
const CHOICE: usize = 4;
const FIRST_ENTRIES: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct Memory {
    /// A power of two of them.
    entries: Vec<Entry>,
    filled: usize,
    most_entries: usize,
}

impl Memory {
    pub(super) fn new(megabytes: usize) -> Self {
        let bytes = megabytes.saturating_mul(1 << 20);
        Self {
            entries: vec![Entry::EMPTY; FIRST_ENTRIES],
            filled: 0,
            most_entries: bytes / size_of::<Entry>(),
        }
    }

    fn places(&mut self, key: u64) -> &mut [Entry] {
        let start = key as usize & (self.entries.len() - 1) & !(CHOICE - 1);
        &mut self.entries[start..start + CHOICE]
    }

    /// How hard it still looks to mate in so many moves; `None` when nothing is known.
    pub(super) fn find(&mut self, key: u64, moves: u8, attacks: bool) -> Option<Effort> {
        let entry = self.places(key).iter().find(|entry| entry.key == key)?;
        if entry.mates_in <= moves {
            Some(if attacks { Effort::WON } else { Effort::LOST })
        } else if moves < entry.no_mate_below {
            Some(if attacks { Effort::LOST } else { Effort::WON })
        } else {
            (entry.moves == moves).then_some(entry.effort)
        }
    }

    /// The fewest moves he is known to mate in.
    pub(super) fn mates_in(&mut self, key: u64) -> Option<u8> {
        let entry = self.places(key).iter().find(|entry| entry.key == key)?;
        (entry.mates_in != NEVER).then_some(entry.mates_in)
    }

    pub(super) fn keep(&mut self, key: u64, moves: u8, attacks: bool, effort: Effort, nodes: u64) {
        let work = nodes.max(1).ilog2() as u8;
        let places = self.places(key);
        let Some(place) = places
            .iter_mut()
            .min_by_key(|entry| (entry.key != key, entry.key != NO_KEY, entry.work))
        else {
            return;
        };
        let new = place.key == NO_KEY;
        if place.key != key {
            *place = Entry {
                key,
                ..Entry::EMPTY
            };
        }
        place.work = place.work.max(work);
        if effort.settled() {
            if (effort == Effort::WON) == attacks {
                place.mates_in = place.mates_in.min(moves);
            } else {
                place.no_mate_below = place.no_mate_below.max(moves + 1);
            }
        } else {
            (place.moves, place.effort) = (moves, effort);
        }
        self.filled += usize::from(new);
        if self.filled > self.entries.len() / 2 {
            self.grow();
        }
    }

    /// Twice as large, where there is memory.
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
            let places = self.places(entry.key);
            if let Some(free) = places.iter_mut().find(|place| place.key == NO_KEY) {
                *free = entry;
                self.filled += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::Count;
    use super::*;

    const OPEN: Effort = Effort {
        win: Count(3),
        lose: Count(7),
    };

    #[test]
    fn a_mate_holds_for_more_moves_and_its_absence_for_fewer() {
        let mut memory = Memory::new(1);
        memory.keep(17, 3, true, Effort::WON, 1);
        memory.keep(17, 1, true, Effort::LOST, 1);
        assert_eq!(memory.find(17, 2, true), None);
        for (moves, attacker, defender) in [
            (1, Effort::LOST, Effort::WON),
            (3, Effort::WON, Effort::LOST),
            (9, Effort::WON, Effort::LOST),
        ] {
            assert_eq!(memory.find(17, moves, true), Some(attacker));
            assert_eq!(memory.find(17, moves, false), Some(defender));
        }
        assert_eq!(memory.mates_in(17), Some(3));
    }

    #[test]
    fn open_questions_are_remembered_for_their_number_of_moves() {
        let mut memory = Memory::new(1);
        memory.keep(17, 4, false, OPEN, 1);
        assert_eq!(memory.find(17, 4, false), Some(OPEN));
        assert_eq!(memory.find(17, 3, false), None);
        assert_eq!(memory.find(18, 4, false), None);
        assert_eq!(memory.mates_in(17), None);
    }

    #[test]
    fn it_grows_and_forgets_nothing_while_there_is_room() {
        let spread = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let count = 4 * FIRST_ENTRIES as u64;
        let mut memory = Memory::new(64);
        for number in 1..=count {
            memory.keep(spread(number), 5, true, Effort::WON, 1);
        }
        let kept = (1..=count).filter(|&number| memory.mates_in(spread(number)).is_some());
        // A few meet in one place too often.
        assert!(kept.count() as u64 > count * 9 / 10);
    }

    #[test]
    fn in_a_full_one_the_dearest_stays() {
        let mut memory = Memory::new(0);
        memory.keep(4, 5, true, Effort::WON, 1 << 20);
        for number in 2..100 {
            memory.keep(number << 32 | 4, 5, true, Effort::WON, 1);
        }
        assert_eq!(memory.mates_in(4), Some(5));
    }
}
