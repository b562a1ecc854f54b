//! Every epoch's order of the examples: a permutation that is computed, not stored.
//!
//! An index is cut in two halves, each mixed into the other in turn; that can be undone, so no
//! two indices meet. Where the result is past the end it is mixed again. So an epoch is known
//! by two numbers, needs no memory and no time to be shuffled, and can be entered anywhere.

use crate::rng::Rng;

const ROUNDS: usize = 6;

#[derive(Clone, Debug)]
pub(super) struct Order {
    count: usize,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Order {
    /// The order of `count` examples in an epoch.
    pub(super) fn new(count: usize, seed: u64, epoch: usize) -> Self {
        let bits = (count.max(4) - 1).ilog2() + 1;
        let low_bits = bits / 2;
        let mut rng = Rng::new(seed, epoch as u64);
        Self {
            count,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|_| rng.bits()),
        }
    }

    /// Which example comes at a place; places from `count` on are taken as place 0.
    #[inline]
    pub(super) fn at(&self, place: usize) -> usize {
        let mut index = if place < self.count { place } else { 0 } as u64;
        // Ends: a permutation of more numbers comes back to its beginning, which is small enough.
        loop {
            index = self.mixed(index);
            if index < self.count.max(1) as u64 {
                return index as usize;
            }
        }
    }

    #[inline]
    fn mixed(&self, index: u64) -> u64 {
        let mut low = index & self.low_mask;
        let mut high = index >> self.low_bits;
        for pair in self.keys.chunks_exact(2) {
            low ^= scrambled(high ^ pair[0]) & self.low_mask;
            high ^= scrambled(low ^ pair[1]) & self.high_mask;
        }
        high << self.low_bits | low
    }
}

/// Spreads every bit of a number over the low half of the result.
#[inline]
fn scrambled(number: u64) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let product = (product ^ product >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_comes_once() {
        for count in [1, 2, 3, 4, 5, 31, 32, 33, 1000, 65_537] {
            let order = Order::new(count, 7, 3);
            let mut seen = vec![false; count];
            for place in 0..count {
                assert!(!std::mem::replace(&mut seen[order.at(place)], true));
            }
        }
    }

    #[test]
    fn epochs_and_seeds_differ() {
        let all = |seed, epoch| {
            let order = Order::new(1000, seed, epoch);
            (0..1000).map(|place| order.at(place)).collect::<Vec<_>>()
        };
        assert_ne!(all(1, 0), all(1, 1));
        assert_ne!(all(1, 0), all(2, 0));
        assert_eq!(all(1, 0), all(1, 0));
    }

    /// Of a thrown-together order, neighbours are on average a third of the whole apart, and
    /// each tenth of the places draws evenly on each tenth of the examples.
    #[test]
    fn neighbours_part() {
        let count = 100_000;
        let order = Order::new(count, 1, 0);
        let apart: usize = (1..count)
            .map(|place| order.at(place).abs_diff(order.at(place - 1)))
            .sum();
        let mean = apart as f64 / count as f64 / count as f64;
        assert!((mean - 1.0 / 3.0).abs() < 0.01, "{mean}");
        let mut tenths = [[0u32; 10]; 10];
        for place in 0..count {
            tenths[place * 10 / count][order.at(place) * 10 / count] += 1;
        }
        // A thousand expected in each, give or take thirty.
        assert!(
            tenths.iter().flatten().all(|n| (850..1150).contains(n)),
            "{tenths:?}"
        );
    }
}
