//! Networks of any numbers.
use search::nnue::{MAX_OUTPUT_WEIGHT, Network, Shape};

/// A generator of repeatable choices.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % count as u64) as usize
    }

    pub(crate) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn from(&mut self, range: std::ops::RangeInclusive<i32>) -> i32 {
        range.start() + self.below((range.end() - range.start() + 1) as usize) as i32
    }
}

/// What the weights of a network are like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    /// Such that sums fall below, into and above the range of activations.
    Usual,
    /// The largest, the smallest and their neighbours.
    Extreme,
}

impl Numbers {
    fn feature(self, choices: &mut Choices) -> i16 {
        let any = choices.from(-70..=70) as i16;
        match self {
            Self::Usual => any,
            Self::Extreme => {
                choices.of(&[i16::MIN, i16::MIN + 1, -256, -1, 0, any, 255, 256, i16::MAX])
            }
        }
    }

    fn output(self, choices: &mut Choices) -> i16 {
        let most = MAX_OUTPUT_WEIGHT;
        let any = choices.from(-i32::from(most)..=i32::from(most)) as i16;
        match self {
            Self::Usual => any,
            Self::Extreme => choices.of(&[-most, most]),
        }
    }

    fn bias(self, choices: &mut Choices) -> i32 {
        let any = choices.from(-20_000..=20_000);
        match self {
            Self::Usual => any,
            Self::Extreme => choices.of(&[i32::MIN, any, i32::MAX]),
        }
    }
}

/// A shape whose king buckets are spread over the board.
pub(crate) fn shape(hidden: usize, king_buckets: usize, output_buckets: usize) -> Shape {
    let map = std::array::from_fn(|square| {
        let (rank, file) = (square / 8, square % 8);
        let mirrored = file.min(7 - file);
        ((rank * 4 + mirrored) % king_buckets) as u8
    });
    Shape::new(hidden, king_buckets, output_buckets, map).expect("a possible shape")
}

/// A network of a shape.
pub(crate) fn random(shape: Shape, numbers: Numbers, seed: u64) -> Network {
    let choices = &mut Choices::new(seed);
    let hidden = shape.hidden();
    let features = shape.feature_count() * hidden;
    let outputs = shape.output_buckets();
    let weights = (0..features).map(|_| numbers.feature(choices)).collect();
    let biases = (0..hidden).map(|_| numbers.feature(choices)).collect();
    let output_weights = (0..outputs * 2 * hidden).map(|_| numbers.output(choices));
    let output_weights = output_weights.collect();
    let output_biases = (0..outputs).map(|_| numbers.bias(choices)).collect();
    Network::from_parts(
        shape,
        400,
        format!("{numbers:?} numbers from {seed}"),
        weights,
        biases,
        output_weights,
        output_biases,
    )
    .expect("a network")
}
