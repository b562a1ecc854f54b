//! Random numbers from a seed.

use std::ops::{Deref, DerefMut, RangeInclusive};

use common::rng::SplitMix64;

/// The generator of `common` with choices that panic when there is nothing to choose from.
#[derive(Debug, Clone)]
pub struct Rng(SplitMix64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub fn range(&mut self, range: RangeInclusive<i32>) -> i32 {
        let count = i64::from(*range.end()) - i64::from(*range.start()) + 1;
        let offset = self.below(usize::try_from(count).expect("a range that is not empty"));
        (i64::from(*range.start()) + offset as i64) as i32
    }

    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

impl Deref for Rng {
    type Target = SplitMix64;

    fn deref(&self) -> &SplitMix64 {
        &self.0
    }
}

impl DerefMut for Rng {
    fn deref_mut(&mut self) -> &mut SplitMix64 {
        &mut self.0
    }
}
