//! The numbers of a network, and its value of a position computed from scratch.

use super::features::features;
use super::shape::{HIDDEN_MULTIPLE, Number, QA, QB, Shape, ShapeError, Tensor, TensorShape};
use super::{FORMAT_VERSION, MAX_DESCRIPTION_LENGTH, leb128};
use crate::memory::{Large, Zeroable};
use movegen::{Color, Position};
use thiserror::Error;

/// A piece of a row, on cache lines of its own. Rows are whole numbers of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; HIDDEN_MULTIPLE]);

// SAFETY: it holds only numbers.
unsafe impl Zeroable for Block {}

fn block_numbers(blocks: &[Block]) -> impl Iterator<Item = i16> {
    blocks.iter().flat_map(|block| block.0)
}

/// Why a file or a set of numbers is not a network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    #[error("not a network file: does not start with 'CASTLNET'")]
    Magic,
    #[error("unsupported network format version {found}: expected {FORMAT_VERSION}")]
    Version { found: u32 },
    #[error("truncated network file: it ends within its header")]
    HeaderEnd,
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
    #[error(
        "invalid length {found} of the network's tensors: expected {} to {} for this shape", range.0, range.1
    )]
    TensorsLength { found: usize, range: (usize, usize) },
    #[error("the network's tensors end after {expected} bytes: the header states {found}")]
    TensorsEnd { expected: usize, found: usize },
    #[error(
        "number {index} of the network's {tensor} is missing or malformed: expected the shortest signed LEB128"
    )]
    Encoding { tensor: &'static str, index: usize },
    #[error("wrong size of network file: expected {expected} bytes for this header, found {found}")]
    Length { expected: usize, found: usize },
    #[error("damaged network file: its hash is {found:016x}, expected {expected:016x}")]
    Hash { expected: u64, found: u64 },
    #[error("not enough memory for the network")]
    Memory,
    #[error(
        "number {index} of the network's {tensor} is {found}: expected {} to {}", range.0, range.1
    )]
    Number {
        tensor: &'static str,
        index: usize,
        found: i64,
        range: (i32, i32),
    },
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
    /// The tensors of 16-bit numbers, one after the other. Rows are whole numbers of blocks.
    i16s: Large<[Block]>,
    /// The tensors of 32-bit numbers.
    i32s: Vec<i32>,
    /// Where each tensor begins among those of its type: a block, or a number.
    starts: [usize; Tensor::ALL.len()],
}

impl Network {
    /// Makes a network of the tensors in a file.
    pub(super) fn from_bytes(
        shape: Shape,
        scale: u16,
        description: String,
        mut bytes: &[u8],
    ) -> Result<Self, NetworkError> {
        let length = bytes.len();
        let i16s = Tensor::ALL.map(|tensor| shape.tensor(tensor));
        let i16s = i16s.iter().filter(|tensor| tensor.number == Number::I16);
        let blocks = i16s.map(|tensor| tensor.len() / HIDDEN_MULTIPLE).sum();
        let mut network = Self {
            shape,
            scale,
            description,
            i16s: Large::<[Block]>::zeroed_slice(blocks).ok_or(NetworkError::Memory)?,
            i32s: Vec::new(),
            starts: [0; Tensor::ALL.len()],
        };
        let mut filled = 0;
        for tensor in Tensor::ALL {
            let shape = shape.tensor(tensor);
            let start = &mut network.starts[tensor as usize];
            match shape.number {
                Number::I16 => {
                    *start = filled;
                    let blocks = shape.len() / HIDDEN_MULTIPLE;
                    let bucket = shape.bucket_len() / HIDDEN_MULTIPLE;
                    for block in 0..blocks {
                        let place = filled + block;
                        if block >= bucket {
                            network.i16s[place] = network.i16s[place - bucket];
                        }
                        let first = block * HIDDEN_MULTIPLE;
                        decode_block(&shape, first, &mut bytes, &mut network.i16s[place])?;
                    }
                    filled += blocks;
                }
                Number::I32 => {
                    *start = network.i32s.len();
                    for index in 0..shape.len() {
                        let before = index.checked_sub(shape.bucket_len());
                        let before = before.map_or(0, |before| network.i32s[*start + before]);
                        // Its range is that of 32 bits.
                        let number = decode(&shape, index, &mut bytes, before)? as i32;
                        network.i32s.push(number);
                    }
                }
            }
        }
        if !bytes.is_empty() {
            return Err(NetworkError::TensorsEnd {
                expected: length - bytes.len(),
                found: length,
            });
        }
        Ok(network)
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

    /// The numbers of a tensor, by bucket and row.
    #[must_use]
    pub fn numbers(&self, tensor: Tensor) -> Vec<i32> {
        let (start, shape) = (self.starts[tensor as usize], self.shape.tensor(tensor));
        match shape.number {
            Number::I16 => {
                let blocks = &self.i16s[start..][..shape.len() / HIDDEN_MULTIPLE];
                block_numbers(blocks).map(i32::from).collect()
            }
            Number::I32 => self.i32s[start..][..shape.len()].to_vec(),
        }
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
            .zip(block_numbers(self.output_weights(bucket)))
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
        let mut sums: Vec<i16> = block_numbers(self.feature_biases()).collect();
        for feature in features(&self.shape, position, side) {
            for (sum, weight) in sums
                .iter_mut()
                .zip(block_numbers(self.feature_weights(feature)))
            {
                *sum = sum.wrapping_add(weight);
            }
        }
        sums
    }

    /// From the weighted sum of squared activations to units of the evaluation.
    #[inline]
    pub(super) fn scaled(&self, weighted: i64, bucket: usize) -> i32 {
        const UNIT: i64 = QA as i64;
        let bias = i64::from(self.i32s[self.starts[Tensor::OutputBiases as usize] + bucket]);
        let logit = weighted / UNIT + bias;
        let value = logit * i64::from(self.scale) / (UNIT * QB as i64);
        value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }

    /// The blocks of an accumulator, and of a row of the feature weights.
    #[inline]
    pub(super) fn blocks(&self) -> usize {
        self.shape.hidden() / HIDDEN_MULTIPLE
    }

    /// The rows of all features.
    #[inline]
    pub(super) fn all_feature_weights(&self) -> &[Block] {
        &self.i16s[..self.starts[Tensor::FeatureBiases as usize]]
    }

    /// The row of a feature.
    #[inline]
    pub(super) fn feature_weights(&self, feature: usize) -> &[Block] {
        &self.i16s[feature * self.blocks()..][..self.blocks()]
    }

    /// The row that both accumulators start from.
    pub(super) fn feature_biases(&self) -> &[Block] {
        &self.i16s[self.starts[Tensor::FeatureBiases as usize]..][..self.blocks()]
    }

    /// The two rows of an output bucket.
    #[inline]
    pub(super) fn output_weights(&self, bucket: usize) -> &[Block] {
        let blocks = 2 * self.blocks();
        let start = self.starts[Tensor::OutputWeights as usize];
        &self.i16s[start + bucket * blocks..][..blocks]
    }
}

/// Takes a block of a tensor, from the number with the index `first` on. `block` is that of the
/// bucket before, or zeros.
#[inline]
fn decode_block(
    shape: &TensorShape,
    first: usize,
    bytes: &mut &[u8],
    block: &mut Block,
) -> Result<(), NetworkError> {
    /// Numbers that are read together where all are short.
    const CHUNK: usize = 16;
    let (chunks, _) = block.0.as_chunks_mut::<CHUNK>();
    for (chunk, index) in chunks.iter_mut().zip((first..).step_by(CHUNK)) {
        if shape.limit.is_none() && leb128::add_short(bytes, chunk) {
            continue;
        }
        for (number, index) in chunk.iter_mut().zip(index..) {
            // Its range is within 16 bits.
            *number = decode(shape, index, bytes, (*number).into())? as i16;
        }
    }
    Ok(())
}

/// Takes a number of a tensor, stored as the difference from the same number of the bucket before.
#[inline]
fn decode(
    shape: &TensorShape,
    index: usize,
    bytes: &mut &[u8],
    before: i32,
) -> Result<i64, NetworkError> {
    let tensor = shape.name;
    let difference = leb128::take(bytes).ok_or(NetworkError::Encoding { tensor, index })?;
    let number = i64::from(before) + difference;
    check(shape, index, number)?;
    Ok(number)
}

/// An error if a number of a tensor is too large or too small.
#[inline]
pub(super) fn check(shape: &TensorShape, index: usize, found: i64) -> Result<(), NetworkError> {
    let range = shape.range();
    if (range.0.into()..=range.1.into()).contains(&found) {
        return Ok(());
    }
    Err(NetworkError::Number {
        tensor: shape.name,
        index,
        found,
        range,
    })
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({}, '{}')", self.shape, self.description)
    }
}
