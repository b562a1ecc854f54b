//! The network: what it consists of, how a file holds it, and what it says of a position.
//!
//! Two accumulators, one for each side's view of the board, are sums of a row of weights for
//! every man; clamped, squared and weighted once more they give the value for the side to
//! move. Shape, features and file format are public, so that a trainer and the search speak
//! of the same network. Nothing here knows of searching.

mod accumulator;
mod block;
mod dirty_pieces;
mod embedded;
mod features;
mod finny;
mod format;
mod shape;
mod simd;

pub use accumulator::AccumulatorStack;
pub use embedded::embedded;
pub use features::{Perspective, features};
pub use format::{MAX_FILE_SIZE, NetworkError};
pub use shape::{
    FEATURES, HIDDEN_MULTIPLE, MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS, Shape, ShapeError,
};
pub use simd::Simd;

use crate::memory::Large;
use block::Block;
use movegen::{Color, Position};

/// What 1 is in the weights, biases and sums of the feature layer; activations end there.
pub const QA: i16 = 255;
/// What 1 is in the weights of the output layer.
pub const QB: i16 = 64;
/// Output weights lie between minus this and this: times an activation they fit sixteen bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// The longest description, in bytes.
pub const MAX_DESCRIPTION_LENGTH: usize = 4096;

/// A network, fit to be used: every number in it has been checked.
///
/// Sums of the feature layer are sixteen bits wide. It is for whoever makes the weights to
/// keep thirty-two rows and the bias within that; if they do not, sums wrap, here as in
/// everything that computes faster.
#[derive(PartialEq, Eq)]
pub struct Network {
    shape: Shape,
    scale: u16,
    description: String,
    /// A row for every feature.
    feature_weights: Large<[Block]>,
    /// The row both sums start from.
    feature_bias: Large<[Block]>,
    /// For every output bucket a row for the side to move and one for the other.
    output_weights: Large<[Block]>,
    /// In units of 1 / (`QA` · `QB`).
    output_bias: Box<[i32]>,
}

impl Network {
    /// A network from its numbers: rows of `shape.hidden()` feature weights for each of
    /// `shape.feature_count()` features, a row of biases, and for each output bucket two rows
    /// of weights (the side to move first) and a bias. `scale` is how many units of the
    /// search's evaluation one logit is worth.
    #[expect(clippy::needless_pass_by_value, reason = "they are not needed twice")]
    pub fn from_parts(
        shape: Shape,
        scale: u16,
        description: String,
        feature_weights: Vec<i16>,
        feature_bias: Vec<i16>,
        output_weights: Vec<i16>,
        output_bias: Vec<i32>,
    ) -> Result<Self, NetworkError> {
        let hidden = shape.hidden();
        let buckets = shape.output_buckets();
        for (what, wanted, found) in [
            (
                "feature weights",
                shape.feature_count() * hidden,
                feature_weights.len(),
            ),
            ("feature biases", hidden, feature_bias.len()),
            ("output weights", buckets * 2 * hidden, output_weights.len()),
            ("output biases", buckets, output_bias.len()),
        ] {
            if found != wanted {
                return Err(NetworkError::Count {
                    what,
                    wanted,
                    found,
                });
            }
        }
        if scale == 0 {
            return Err(NetworkError::Scale);
        }
        if description.len() > MAX_DESCRIPTION_LENGTH {
            return Err(NetworkError::DescriptionLength {
                found: description.len(),
            });
        }
        if let Some(at) = description.find(char::is_control) {
            return Err(NetworkError::DescriptionControl { at });
        }
        let limits = -MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT;
        if let Some(number) = output_weights.iter().position(|w| !limits.contains(w)) {
            return Err(NetworkError::OutputWeight {
                number,
                found: output_weights[number],
            });
        }
        Ok(Self {
            shape,
            scale,
            description,
            feature_weights: block::blocks(&feature_weights).ok_or(NetworkError::Memory)?,
            feature_bias: block::blocks(&feature_bias).ok_or(NetworkError::Memory)?,
            output_weights: block::blocks(&output_weights).ok_or(NetworkError::Memory)?,
            output_bias: output_bias.into_boxed_slice(),
        })
    }

    #[must_use]
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Units of the search's evaluation in one logit.
    #[must_use]
    pub fn scale(&self) -> u16 {
        self.scale
    }

    /// What its maker says of it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The value of a position for the side to move, slowly and plainly: what every faster
    /// way must give.
    #[must_use]
    pub fn evaluate_from_scratch(&self, position: &Position) -> i32 {
        let turn = position.side_to_move();
        let bucket = self.shape.output_bucket(position.occupied().count());
        let sums = [turn, !turn].map(|side| self.sums(position, side));
        let weighted = sums
            .iter()
            .flatten()
            .zip(block::numbers(self.output_weights(bucket)))
            .map(|(&sum, weight)| {
                let activation = i64::from(sum.clamp(0, QA));
                activation * activation * i64::from(weight)
            })
            .sum();
        self.value(weighted, bucket)
    }

    /// One side's sums of the feature layer.
    fn sums(&self, position: &Position, perspective: Color) -> Vec<i16> {
        let mut sums: Vec<i16> = block::numbers(&self.feature_bias).collect();
        for feature in features(&self.shape, position, perspective) {
            for (sum, weight) in sums
                .iter_mut()
                .zip(block::numbers(self.feature_weights(feature)))
            {
                *sum = sum.wrapping_add(weight);
            }
        }
        sums
    }

    /// From the weighted sum of squared activations to the search's units.
    #[inline]
    fn value(&self, weighted: i64, bucket: usize) -> i32 {
        const UNIT: i64 = QA as i64;
        let bias = i64::from(self.output_bias[bucket]);
        let logit = weighted / UNIT + bias;
        let value = logit * i64::from(self.scale) / (UNIT * QB as i64);
        value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }

    /// The row of a feature.
    #[inline]
    fn feature_weights(&self, feature: usize) -> &[Block] {
        let blocks = self.feature_bias.len();
        &self.feature_weights[feature * blocks..][..blocks]
    }

    /// The two rows of an output bucket.
    #[inline]
    fn output_weights(&self, bucket: usize) -> &[Block] {
        let blocks = 2 * self.feature_bias.len();
        &self.output_weights[bucket * blocks..][..blocks]
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({}, '{}')", self.shape, self.description)
    }
}
