//! Seeds of random choices in games. They count up from game to game, so that the games of a
//! match differ, while a match, or one game of it, can be repeated.

use std::hash::{BuildHasher, RandomState};

/// The largest seed, which every GUI's numbers can hold; the smallest is 1.
pub const MAX_SEED: u32 = i32::MAX as u32;

/// The seed of the current game. It grows by 1 after each game in which it was used.
#[derive(Debug, Clone)]
pub struct GameSeed {
    /// From 1 to `MAX_SEED`.
    seed: u32,
    used: bool,
}

impl Default for GameSeed {
    fn default() -> Self {
        Self::new(0)
    }
}

impl GameSeed {
    /// A random one for 0.
    pub fn new(seed: u32) -> Self {
        let seed = match seed {
            // The standard library's hash tables get new keys in every process.
            0 => wrap(RandomState::new().hash_one(MAX_SEED)),
            seed => seed,
        };
        Self { seed, used: false }
    }

    /// The seed of this game, without using it.
    pub fn get(&self) -> u32 {
        self.seed
    }

    /// The seed of this game for a choice that depends on it.
    pub fn take(&mut self) -> u32 {
        self.used = true;
        self.seed
    }

    pub fn next_game(&mut self) {
        if self.used {
            *self = Self {
                seed: wrap(self.seed.into()),
                used: false,
            };
        }
    }
}

/// A number's successor, from 1 to `MAX_SEED`.
fn wrap(number: u64) -> u32 {
    u32::try_from(number % u64::from(MAX_SEED)).unwrap_or_default() + 1
}
