//! Chance that can be had again: seeds that count up from game to game, and numbers that a seed
//! and a position determine.

use std::hash::{BuildHasher, RandomState};

use common::rng;

/// Seeds go from 1 to here: what every GUI's numbers can hold.
pub(crate) const LARGEST_SEED: u32 = i32::MAX as u32;

/// Where chance comes from. It counts up by one with every game in which it was needed, so
/// that games differ, a match can be had again whole, and each of its games alone by the seed
/// that was told with its moves.
#[derive(Debug)]
pub(crate) struct Seed {
    /// From 1 to `LARGEST_SEED`.
    present: u32,
    used: bool,
}

impl Default for Seed {
    fn default() -> Seed {
        Seed::new(0)
    }
}

impl Seed {
    /// 0 asks for one nobody has chosen.
    pub(crate) fn new(seed: u32) -> Seed {
        let present = match seed {
            // The standard library's own tables are keyed anew in every process.
            0 => within(RandomState::new().hash_one(LARGEST_SEED)),
            seed => seed,
        };
        Seed {
            present,
            used: false,
        }
    }

    /// This game's seed, for whoever only wants to know it.
    pub(crate) fn present(&self) -> u32 {
        self.present
    }

    /// This game's seed, on which something is made to depend.
    pub(crate) fn take(&mut self) -> u32 {
        self.used = true;
        self.present
    }

    pub(crate) fn next_game(&mut self) {
        if self.used {
            *self = Seed {
                present: within(self.present.into()),
                used: false,
            };
        }
    }
}

/// One of the numbers that can be set, a number's successor where it has one.
fn within(number: u64) -> u32 {
    u32::try_from(number % u64::from(LARGEST_SEED)).unwrap_or_default() + 1
}

/// A number below `bound` (0 if that is 0), the same for the same seed and key.
pub(crate) fn below(bound: u64, seed: u64, key: u64) -> u64 {
    rng::scale(rng::keyed(seed, key), bound)
}

/// A number from 0 up to 1, the same for the same seed and key.
pub(crate) fn unit(seed: u64, key: u64) -> f64 {
    rng::to_unit(rng::keyed(seed, key))
}
