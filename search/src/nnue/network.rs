//! The numbers of a network, and its value of a position computed from scratch.

use super::features::features;
use super::shape::{HIDDEN_MULTIPLE, Shape, ShapeError};
use super::{FORMAT_VERSION, MAX_DESCRIPTION_LENGTH, MAX_OUTPUT_WEIGHT, QA, QB};
use crate::memory::{Large, Zeroable};
use movegen::{Color, Position};
use thiserror::Error;

/// A piece of a row, on cache lines of its own. Rows are whole numbers of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; HIDDEN_MULTIPLE]);

// SAFETY: it holds only numbers.
unsafe impl Zeroable for Block {}

/// Copies whole blocks of numbers. `None` if there is not enough memory.
fn blocks(numbers: &[i16]) -> Option<Large<[Block]>> {
    let (whole, _) = numbers.as_chunks();
    let mut blocks = Large::<[Block]>::zeroed_slice(whole.len())?;
    for (block, &numbers) in blocks.iter_mut().zip(whole) {
        *block = Block(numbers);
    }
    Some(blocks)
}

pub(super) fn block_numbers(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}

/// Why a file or a set of numbers is not a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    #[error("not a network file: does not start with 'CASTLNET'")]
    Magic,
    #[error("unsupported network format version {found}: expected {FORMAT_VERSION}")]
    Version { found: u32 },
    #[error(
        "truncated network file: {what} needs {missing} more bytes after the {found} in the file"
    )]
    HeaderEnd {
        what: &'static str,
        found: usize,
        missing: usize,
    },
    #[error("invalid network shape: {0}")]
    Shape(#[from] ShapeError),
    #[error("invalid network scale 0: expected 1 to 65535")]
    Scale,
    #[error(
        "network description of {found} bytes is too long: at most {MAX_DESCRIPTION_LENGTH} are allowed"
    )]
    DescriptionLength { found: usize },
    #[error("invalid UTF-8 in the network description at byte {from}")]
    DescriptionText { from: usize },
    #[error("control character in the network description at byte {at}: expected one line of text")]
    DescriptionControl { at: usize },
    #[error("wrong size of network file: expected {expected} bytes for this header, found {found}")]
    Length { expected: usize, found: usize },
    #[error("damaged network file: its hash is {found:016x}, expected {expected:016x}")]
    Hash { expected: u64, found: u64 },
    #[error("wrong number of {what} for this network shape: expected {expected}, found {found}")]
    Count {
        what: &'static str,
        expected: usize,
        found: usize,
    },
    #[error("not enough memory for the network")]
    Memory,
    #[error(
        "output weight {index} of the network is {found}: expected -{MAX_OUTPUT_WEIGHT} to {MAX_OUTPUT_WEIGHT}"
    )]
    OutputWeight { index: usize, found: i16 },
}

/// A valid network: every number in it has been checked.
///
/// The sums of the feature layer are 16 bits wide. The trainer keeps the sum of any 32 rows and
/// the biases within that; otherwise sums wrap, in every implementation alike.
#[derive(PartialEq, Eq)]
pub struct Network {
    pub(super) shape: Shape,
    pub(super) scale: u16,
    pub(super) description: String,
    /// A row for each feature.
    pub(super) feature_weights: Large<[Block]>,
    /// The row both accumulators start from.
    pub(super) feature_biases: Large<[Block]>,
    /// For each output bucket a row for the side to move and one for the opponent.
    pub(super) output_weights: Large<[Block]>,
    pub(super) output_biases: Box<[i32]>,
}

impl Network {
    /// Makes a network of its numbers: a row of `shape.hidden()` weights for each of
    /// `shape.feature_count()` features, a row of biases, and for each output bucket two rows
    /// of weights (the side to move first) and a bias. `scale` is the value of one logit in
    /// units of the evaluation.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers have no further use for them"
    )]
    pub fn from_parts(
        shape: Shape,
        scale: u16,
        description: String,
        feature_weights: Vec<i16>,
        feature_biases: Vec<i16>,
        output_weights: Vec<i16>,
        output_biases: Vec<i32>,
    ) -> Result<Self, NetworkError> {
        let hidden = shape.hidden();
        let buckets = shape.output_buckets();
        for (what, expected, found) in [
            (
                "feature weights",
                shape.feature_count() * hidden,
                feature_weights.len(),
            ),
            ("feature biases", hidden, feature_biases.len()),
            ("output weights", buckets * 2 * hidden, output_weights.len()),
            ("output biases", buckets, output_biases.len()),
        ] {
            if found != expected {
                return Err(NetworkError::Count {
                    what,
                    expected,
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
        if let Some(index) = output_weights.iter().position(|w| !limits.contains(w)) {
            return Err(NetworkError::OutputWeight {
                index,
                found: output_weights[index],
            });
        }
        Ok(Self {
            shape,
            scale,
            description,
            feature_weights: blocks(&feature_weights).ok_or(NetworkError::Memory)?,
            feature_biases: blocks(&feature_biases).ok_or(NetworkError::Memory)?,
            output_weights: blocks(&output_weights).ok_or(NetworkError::Memory)?,
            output_biases: output_biases.into_boxed_slice(),
        })
    }

    #[must_use]
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The value of one logit in units of the evaluation.
    #[must_use]
    pub fn scale(&self) -> u16 {
        self.scale
    }

    /// One line of text from the trainer.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The weights of a feature, one for each neuron.
    pub fn feature_row(&self, feature: usize) -> impl Iterator<Item = i16> {
        block_numbers(self.feature_weights(feature))
    }

    /// The biases of the feature layer, one for each neuron.
    pub fn bias_row(&self) -> impl Iterator<Item = i16> {
        block_numbers(&self.feature_biases)
    }

    /// The weights of an output bucket: one for each neuron of the side to move, then one for
    /// each of the opponent's.
    pub fn output_rows(&self, bucket: usize) -> impl Iterator<Item = i16> {
        block_numbers(self.output_weights(bucket))
    }

    /// The bias of each output bucket, in units of 1 / (`QA` · `QB`).
    #[must_use]
    pub fn output_biases(&self) -> &[i32] {
        &self.output_biases
    }

    /// The value of a position for the side to move, computed slowly and plainly: the reference
    /// for all faster implementations.
    #[must_use]
    pub fn evaluate_from_scratch(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        let bucket = self.shape.output_bucket(position.occupied().count());
        let sums = [us, !us].map(|side| self.accumulator(position, side));
        let weighted = sums
            .iter()
            .flatten()
            .zip(self.output_rows(bucket))
            .map(|(&sum, weight)| {
                // SCReLU.
                let activation = i64::from(sum.clamp(0, QA));
                activation * activation * i64::from(weight)
            })
            .sum();
        self.scaled(weighted, bucket)
    }

    /// One side's accumulator.
    fn accumulator(&self, position: &Position, side: Color) -> Vec<i16> {
        let mut sums: Vec<i16> = self.bias_row().collect();
        for feature in features(&self.shape, position, side) {
            for (sum, weight) in sums.iter_mut().zip(self.feature_row(feature)) {
                *sum = sum.wrapping_add(weight);
            }
        }
        sums
    }

    /// From the weighted sum of squared activations to units of the evaluation.
    #[inline]
    pub(super) fn scaled(&self, weighted: i64, bucket: usize) -> i32 {
        const UNIT: i64 = QA as i64;
        let bias = i64::from(self.output_biases[bucket]);
        let logit = weighted / UNIT + bias;
        let value = logit * i64::from(self.scale) / (UNIT * QB as i64);
        value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }

    /// The row of a feature.
    #[inline]
    pub(super) fn feature_weights(&self, feature: usize) -> &[Block] {
        let blocks = self.feature_biases.len();
        &self.feature_weights[feature * blocks..][..blocks]
    }

    /// The two rows of an output bucket.
    #[inline]
    pub(super) fn output_weights(&self, bucket: usize) -> &[Block] {
        let blocks = 2 * self.feature_biases.len();
        &self.output_weights[bucket * blocks..][..blocks]
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({}, '{}')", self.shape, self.description)
    }
}
