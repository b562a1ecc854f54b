//! From examples to the trainer's input: the shuffled order of an epoch, and blocks of active
//! features, output buckets and targets.

use super::loss::Objective;
use crate::data::Example;
use common::rng::SplitMix64;
use movegen::Color;
use rayon::prelude::*;
use search::nnue::{AttackCounts, Perspective, Shape};

/// Examples computed together: as many as usually are in a batch, so that the gradient of a
/// feature is complete when it has been summed. The accumulators of a tile still fit into a
/// core's cache.
pub(super) const BLOCK: usize = 1024;
/// Examples of a task.
pub(super) const CHUNK: usize = 256;
pub(super) const CHUNKS: usize = BLOCK / CHUNK;
const MAX_PIECES: usize = 32;

/// The active features of an example.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Input {
    /// For the side to move and for the other side.
    features: [[u16; MAX_PIECES]; 2],
    count: u8,
    pub(super) output_bucket: u8,
    pub(super) counts: AttackCounts,
}

impl Input {
    pub(super) fn new(shape: &Shape, example: &Example) -> Self {
        // Examples are flipped so that the side to move is White.
        let perspectives = [
            Perspective::new(shape, Color::White, example.own_king()),
            Perspective::new(shape, Color::Black, example.their_king()),
        ];
        let mut features = [[0; MAX_PIECES]; 2];
        let mut count = 0;
        for (piece, square) in example.pieces().take(MAX_PIECES) {
            for (features, perspective) in features.iter_mut().zip(&perspectives) {
                // Below 32 · 768.
                features[count] = perspective.feature(piece, square) as u16;
            }
            count += 1;
        }
        Self {
            features,
            count: count as u8,
            output_bucket: shape.output_bucket(example.piece_count()) as u8,
            counts: if shape.attack_neurons() > 0 {
                AttackCounts::new(&example.piece_sets(), Color::White)
            } else {
                AttackCounts::default()
            },
        }
    }

    /// Features from one side's perspective: 0 is the side to move, 1 the other.
    #[inline(always)]
    pub(super) fn features(&self, side: usize) -> &[u16] {
        let count = usize::from(self.count).min(MAX_PIECES);
        &self.features[side & 1][..count]
    }
}

/// Inputs with their targets.
#[derive(Debug, Default)]
pub(super) struct ExampleBlock {
    pub(super) inputs: Vec<Input>,
    pub(super) targets: Vec<f32>,
}

impl ExampleBlock {
    /// Replaces the contents.
    pub(super) fn fill(&mut self, shape: &Shape, objective: Objective, examples: &[Example]) {
        let count = examples.len();
        self.inputs.resize(count, Input::default());
        self.targets.resize(count, 0.0);
        let inputs = self.inputs.par_chunks_mut(CHUNK);
        let targets = self.targets.par_chunks_mut(CHUNK);
        let chunks = examples.par_chunks(CHUNK).zip(inputs.zip(targets));
        chunks.for_each(|(examples, (inputs, targets))| {
            for (example, (input, target)) in examples.iter().zip(inputs.iter_mut().zip(targets)) {
                *input = Input::new(shape, example);
                *target = objective.target(example);
            }
        });
    }

    /// The inputs of a task.
    pub(super) fn chunk(&self, chunk: usize) -> &[Input] {
        let inputs = self.inputs.get(chunk * CHUNK..).unwrap_or_default();
        &inputs[..inputs.len().min(CHUNK)]
    }
}

/// The accumulators of a block each feature is active in, so that a row's gradient is summed in
/// registers and written once. (Compressed sparse columns.)
#[derive(Debug, Default)]
pub(super) struct FeatureIndex {
    /// Start of each feature in `accumulators`, and the end.
    starts: Vec<u32>,
    /// Twice the number of the example, plus 1 for the side not to move.
    accumulators: Vec<u16>,
}

impl FeatureIndex {
    pub(super) fn fill(&mut self, features: usize, inputs: &[Input]) {
        let active = || {
            inputs.iter().enumerate().flat_map(|(number, input)| {
                (0..2).flat_map(move |side| {
                    let accumulator = (number * 2 + side) as u16;
                    let features = input.features(side).iter();
                    features.map(move |&feature| (usize::from(feature), accumulator))
                })
            })
        };
        // Counts are stored two places ahead. The running sum turns them into the start of each
        // feature one place ahead, and filling moves every start to the next feature's.
        self.starts.clear();
        self.starts.resize(features + 2, 0);
        for (feature, _) in active() {
            self.starts[feature + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.accumulators.clear();
        self.accumulators.resize(sum as usize, 0);
        for (feature, accumulator) in active() {
            let next = &mut self.starts[feature + 1];
            self.accumulators[*next as usize] = accumulator;
            *next += 1;
        }
    }

    #[inline(always)]
    pub(super) fn accumulators(&self, feature: usize) -> &[u16] {
        let range = self.starts[feature] as usize..self.starts[feature + 1] as usize;
        &self.accumulators[range]
    }
}

/// The order of the examples in an epoch: a pseudo-random permutation that is computed, not
/// stored.
///
/// A Feistel network over the bits of the index is a permutation of a power of two; results past
/// the end are permuted again (cycle walking). An epoch is determined by seed and number, takes
/// no memory or time to shuffle, and can be resumed anywhere.
#[derive(Clone, Debug)]
pub(super) struct Order {
    count: usize,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; 6],
}

impl Order {
    pub(super) fn new(count: usize, seed: u64, epoch: usize) -> Self {
        let bits = (count.max(4) - 1).ilog2() + 1;
        let low_bits = bits / 2;
        let mut rng = SplitMix64::with_stream(seed, epoch as u64);
        Self {
            count,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|_| rng.next_u64()),
        }
    }

    /// The example at a place of the order. Places out of range are treated as 0.
    #[inline]
    pub(super) fn at(&self, place: usize) -> usize {
        let mut index = if place < self.count { place } else { 0 } as u64;
        // Terminates: the cycle of an index below `count` comes back to it.
        loop {
            index = self.permute(index);
            if index < self.count.max(1) as u64 {
                return index as usize;
            }
        }
    }

    #[inline]
    fn permute(&self, index: u64) -> u64 {
        let mut low = index & self.low_mask;
        let mut high = index >> self.low_bits;
        for pair in self.keys.chunks_exact(2) {
            low ^= hash(high ^ pair[0]) & self.low_mask;
            high ^= hash(low ^ pair[1]) & self.high_mask;
        }
        high << self.low_bits | low
    }
}

/// Every bit of the input affects the low half of the result.
#[inline]
fn hash(number: u64) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let product = (product ^ product >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_a_permutation() {
        for count in [1, 2, 3, 4, 5, 31, 32, 33, 1000, 65_537] {
            let order = Order::new(count, 7, 3);
            let mut seen = vec![false; count];
            for place in 0..count {
                assert!(!std::mem::replace(&mut seen[order.at(place)], true));
            }
        }
    }

    #[test]
    fn order_depends_on_seed_and_epoch_only() {
        let all = |seed, epoch| {
            let order = Order::new(1000, seed, epoch);
            (0..1000).map(|place| order.at(place)).collect::<Vec<_>>()
        };
        assert_ne!(all(1, 0), all(1, 1));
        assert_ne!(all(1, 0), all(2, 0));
        assert_eq!(all(1, 0), all(1, 0));
    }

    /// In a good shuffle neighbours are on average a third of the whole apart, and each tenth of
    /// the places draws evenly on each tenth of the examples.
    #[test]
    fn order_separates_neighbours() {
        let count = 100_000;
        let order = Order::new(count, 1, 0);
        let distance: usize = (1..count)
            .map(|place| order.at(place).abs_diff(order.at(place - 1)))
            .sum();
        let mean = distance as f64 / count as f64 / count as f64;
        assert!((mean - 1.0 / 3.0).abs() < 0.01, "{mean}");
        let mut tenths = [[0u32; 10]; 10];
        for place in 0..count {
            tenths[place * 10 / count][order.at(place) * 10 / count] += 1;
        }
        // 1000 expected in each, standard deviation 30.
        let mut counts = tenths.iter().flatten();
        assert!(counts.all(|n| (850..1150).contains(n)), "{tenths:?}");
    }
}
