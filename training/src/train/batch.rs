//! Examples made ready for the arithmetic, some hundred at a time: features of both sides,
//! output buckets, targets.

use super::loss::Objective;
use crate::data::Example;
use crate::rng::Rng;
use movegen::{Color, Piece, Square};
use search::nnue::{Perspective, Shape};

/// Few enough that the sums of a strip stay in a core's cache, many enough that most rows of
/// the table are touched more than once.
pub(super) const BLOCK: usize = 512;
const MOST_MEN: usize = 32;

/// What the network sees of an example.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    /// Row numbers for the side to move and for the other side.
    rows: [[u16; MOST_MEN]; 2],
    count: u8,
    pub(super) bucket: u8,
}

impl Input {
    pub(super) fn new(shape: &Shape, example: &Example) -> Self {
        // The board of an example is turned so that its side to move is White.
        let view = |side, king| Perspective::new(shape, side, Square::wrapping(king as u8));
        let own = view(Color::White, example.own_king());
        let their = view(Color::Black, example.their_king());
        let mut rows = [[0; MOST_MEN]; 2];
        let mut count = 0;
        for man in example.men().take(MOST_MEN) {
            let color = if man.own { Color::White } else { Color::Black };
            let Some(&piece) = Piece::ALL.get(man.role * 2 + color.index()) else {
                continue;
            };
            let square = Square::wrapping(man.square as u8);
            // Below 32 · 768.
            rows[0][count] = own.feature(piece, square) as u16;
            rows[1][count] = their.feature(piece, square) as u16;
            count += 1;
        }
        Self {
            rows,
            count: count as u8,
            bucket: shape.output_bucket(example.count()) as u8,
        }
    }

    /// Row numbers for one side: 0 is the side to move, 1 the other.
    #[inline(always)]
    pub(super) fn rows(&self, side: usize) -> &[u16] {
        let count = usize::from(self.count).min(MOST_MEN);
        &self.rows[side & 1][..count]
    }
}

/// Inputs and what the network should say of them.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) inputs: Vec<Input>,
    pub(super) targets: Vec<f32>,
    /// Examples gathered before any is looked at, so that waiting for memory overlaps.
    gathered: Vec<Example>,
}

impl Block {
    pub(super) fn fill(
        &mut self,
        shape: &Shape,
        objective: Objective,
        examples: impl Iterator<Item = Example>,
    ) {
        self.gathered.clear();
        self.gathered.extend(examples);
        self.inputs.clear();
        self.targets.clear();
        for example in &self.gathered {
            self.inputs.push(Input::new(shape, example));
            self.targets.push(objective.target(example));
        }
    }
}

/// Where each feature occurs in a block, so that a row's gradient is added up in one go.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// For each row where its places begin; one number more than rows.
    starts: Vec<u32>,
    /// Twice the number of the example, and 1 more for the side not to move.
    places: Vec<u16>,
}

impl Index {
    pub(super) fn fill(&mut self, rows: usize, inputs: &[Input]) {
        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        let occurrences = || {
            let sides = inputs.iter().enumerate();
            sides.flat_map(|(number, input)| {
                (0..2).flat_map(move |side| {
                    let place = (number * 2 + side) as u16;
                    input.rows(side).iter().map(move |&row| (row, place))
                })
            })
        };
        // Counted two rows ahead: adding up makes that each row's start one row ahead, and
        // filling moves every start on to the next row's.
        let mut all = 0;
        for (row, _) in occurrences() {
            self.starts[usize::from(row) + 2] += 1;
            all += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.places.clear();
        self.places.resize(all, 0);
        for (row, place) in occurrences() {
            let next = &mut self.starts[usize::from(row) + 1];
            self.places[*next as usize] = place;
            *next += 1;
        }
    }

    /// Where in the block a row occurs.
    #[inline(always)]
    pub(super) fn places(&self, row: usize) -> &[u16] {
        let (start, end) = (self.starts[row] as usize, self.starts[row + 1] as usize);
        &self.places[start..end]
    }
}

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
