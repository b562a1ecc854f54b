//! The numbers of a network.

use super::leb128;
use super::shape::{HIDDEN_MULTIPLE, Number, Shape, ShapeError, Tensor, TensorShape};
use crate::memory::{Large, Zeroable};
use thiserror::Error;

/// The version of the file format.
pub(super) const FORMAT_VERSION: u32 = 5;
/// In bytes.
pub const MAX_DESCRIPTION_LENGTH: usize = 4096;

/// A piece of a row, on cache lines of its own. Rows are whole numbers of blocks; the last may
/// end with zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block<N>(pub(super) [N; HIDDEN_MULTIPLE]);

// SAFETY: it holds only integers.
unsafe impl<N: leb128::Integer> Zeroable for Block<N> {}

/// The reason a file or a set of numbers is not a network.
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
/// The sums of the feature layer are 16 bits wide. The trainer keeps the biases so small that they
/// fit; otherwise sums wrap, in every implementation alike.
#[derive(PartialEq, Eq)]
pub struct Network {
    pub(super) shape: Shape,
    pub(super) scale: u16,
    pub(super) description: String,
    i8s: Large<[Block<i8>]>,
    i16s: Large<[Block<i16>]>,
    i32s: Large<[Block<i32>]>,
    /// The first block of each tensor among those of its type.
    starts: [usize; Tensor::ALL.len()],
}

/// Zeros for tensors of this many blocks.
fn zeros<N: leb128::Integer>(blocks: usize) -> Result<Large<[Block<N>]>, NetworkError> {
    Large::<[Block<N>]>::zeroed_slice(blocks).ok_or(NetworkError::Memory)
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
        let (mut i8s, mut i16s, mut i32s) = (0, 0, 0);
        let starts = Tensor::ALL.map(|tensor| {
            let tensor = shape.tensor(tensor);
            let filled = match tensor.number {
                Number::I8 => &mut i8s,
                Number::I16 => &mut i16s,
                Number::I32 => &mut i32s,
            };
            *filled += tensor.blocks();
            *filled - tensor.blocks()
        });
        let mut network = Self {
            shape,
            scale,
            description,
            i8s: zeros(i8s)?,
            i16s: zeros(i16s)?,
            i32s: zeros(i32s)?,
            starts,
        };
        for (tensor, start) in Tensor::ALL.into_iter().zip(starts) {
            let tensor = shape.tensor(tensor);
            let places = start..start + tensor.blocks();
            match tensor.number {
                Number::I8 => decode(&tensor, &mut bytes, &mut network.i8s[places])?,
                Number::I16 => decode(&tensor, &mut bytes, &mut network.i16s[places])?,
                Number::I32 => decode(&tensor, &mut bytes, &mut network.i32s[places])?,
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

    /// The line of text that the trainer wrote.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The numbers of a tensor, by bucket and row.
    #[must_use]
    pub fn numbers(&self, tensor: Tensor) -> Vec<i32> {
        let shape = self.shape.tensor(tensor);
        match shape.number {
            Number::I8 => numbers(&shape, self.i8s(tensor)),
            Number::I16 => numbers(&shape, self.i16s(tensor)),
            Number::I32 => numbers(&shape, self.i32s(tensor)),
        }
    }

    /// The blocks of a tensor of 8-bit numbers, and of those after it.
    #[inline]
    pub(super) fn i8s(&self, tensor: Tensor) -> &[Block<i8>] {
        &self.i8s[self.starts[tensor as usize]..]
    }

    /// The blocks of a tensor of 16-bit numbers, and of those after it.
    #[inline]
    pub(super) fn i16s(&self, tensor: Tensor) -> &[Block<i16>] {
        &self.i16s[self.starts[tensor as usize]..]
    }

    /// The blocks of a tensor of 32-bit numbers, and of those after it.
    #[inline]
    pub(super) fn i32s(&self, tensor: Tensor) -> &[Block<i32>] {
        &self.i32s[self.starts[tensor as usize]..]
    }

    /// The blocks of an accumulator, and of a row of the feature weights.
    #[inline]
    pub(super) fn blocks(&self) -> usize {
        self.shape.hidden() / HIDDEN_MULTIPLE
    }

    /// The row of a feature.
    #[inline]
    pub(super) fn feature_weights(&self, feature: usize) -> &[Block<i8>] {
        &self.i8s(Tensor::FeatureWeights)[feature * self.blocks()..][..self.blocks()]
    }

    /// The row that both accumulators start from.
    pub(super) fn feature_biases(&self) -> &[Block<i16>] {
        &self.i16s(Tensor::FeatureBiases)[..self.blocks()]
    }
}

fn numbers<N: leb128::Integer>(shape: &TensorShape, blocks: &[Block<N>]) -> Vec<i32> {
    let rows = blocks[..shape.blocks()].chunks(shape.row_blocks().max(1));
    let numbers = rows.flat_map(|row| row.iter().flat_map(|block| block.0).take(shape.columns));
    numbers.map(Into::into).collect()
}

/// Takes the numbers of a tensor, stored as differences from the same ones of the bucket before.
fn decode<N: leb128::Integer>(
    shape: &TensorShape,
    bytes: &mut &[u8],
    blocks: &mut [Block<N>],
) -> Result<(), NetworkError> {
    let row_blocks = shape.row_blocks();
    let mut index = 0;
    for block in 0..blocks.len() {
        if let Some(before) = block.checked_sub(shape.rows * row_blocks) {
            blocks[block] = blocks[before];
        }
        let count = shape.columns - block % row_blocks * HIDDEN_MULTIPLE;
        let numbers = &mut blocks[block].0[..count.min(HIDDEN_MULTIPLE)];
        let whole = <&mut [N; HIDDEN_MULTIPLE]>::try_from(&mut *numbers).ok();
        if !whole.is_some_and(|block| leb128::add_short(bytes, block)) {
            for (number, index) in numbers.iter_mut().zip(index..) {
                *number = decode_number(shape, index, bytes, *number)?;
            }
        }
        index += numbers.len();
    }
    Ok(())
}

#[inline]
fn decode_number<N: leb128::Integer>(
    shape: &TensorShape,
    index: usize,
    bytes: &mut &[u8],
    before: N,
) -> Result<N, NetworkError> {
    let tensor = shape.name;
    let difference = leb128::take(bytes).ok_or(NetworkError::Encoding { tensor, index })?;
    let number = i64::from(before.into()) + difference;
    N::try_from(number).map_err(|_| out_of_range(shape, index, number))
}

/// The error for a number that does not fit its tensor's type.
pub(super) fn out_of_range(shape: &TensorShape, index: usize, found: i64) -> NetworkError {
    NetworkError::Number {
        tensor: shape.name,
        index,
        found,
        range: shape.number.range(),
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({}, '{}')", self.shape, self.description)
    }
}
