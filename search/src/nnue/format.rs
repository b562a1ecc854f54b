//! The network file: a header, the numbers, and a hash of both, all little-endian.
//!
//! ```text
//! magic "CASTLNET"            8 bytes
//! version                     u32
//! hidden neurons per side     u32
//! king buckets                u32
//! output buckets              u32
//! neurons of the attack layer u32
//! scale                       u16
//! king map                    64 bytes, a1 first
//! length of the description   u32
//! length of the tensors       u32
//! description                 UTF-8
//! tensors                     as `Shape::tensor` describes them
//! FNV-1a of all of the above  u64
//! ```
//!
//! The numbers of the tensors are signed LEB128. Every bucket after the first is stored as its
//! difference from the one before it: king buckets resemble each other, so that most differences
//! are one byte and the file compresses well.

use super::leb128;
use super::network::{FORMAT_VERSION, MAX_DESCRIPTION_LENGTH, Network, NetworkError, out_of_range};
use super::shape::{Shape, Tensor};
use common::hash::fnv1a;

const MAGIC: &[u8; 8] = b"CASTLNET";
const HASH_BYTES: usize = size_of::<u64>();
/// Everything before the description.
const HEADER_BYTES: usize = MAGIC.len() + 5 * size_of::<u32>() + size_of::<u16>() + 64 + 2 * 4;

/// No network file is larger, in bytes.
pub const MAX_FILE_SIZE: usize =
    HEADER_BYTES + MAX_DESCRIPTION_LENGTH + Shape::LARGEST.max_bytes() + HASH_BYTES;

impl Network {
    /// Reads a network file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::decode(bytes, fnv1a)
    }

    /// Reads a file whose hash has been checked when the program was built.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn read_verified(bytes: &[u8]) -> Result<Self, NetworkError> {
        let stated = bytes.last_chunk().copied().map(u64::from_le_bytes);
        Self::decode(bytes, |_| stated.unwrap_or_default())
    }

    fn decode(bytes: &[u8], hash: impl Fn(&[u8]) -> u64) -> Result<Self, NetworkError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        let found = u32::from_le_bytes(take(&mut rest)?);
        if found != FORMAT_VERSION {
            return Err(NetworkError::Version { found });
        }
        let mut count = || take(&mut rest).map(u32::from_le_bytes);
        let counts = [count()?, count()?, count()?, count()?];
        let scale = u16::from_le_bytes(take(&mut rest)?);
        let shape = Shape::from_counts(counts, take(&mut rest)?)?;
        if scale == 0 {
            return Err(NetworkError::Scale);
        }
        let length = u32::from_le_bytes(take(&mut rest)?) as usize;
        if length > MAX_DESCRIPTION_LENGTH {
            return Err(NetworkError::DescriptionLength { found: length });
        }
        let tensors = u32::from_le_bytes(take(&mut rest)?) as usize;
        // Nothing of the network's size is allocated before the file is known to have it.
        let range = (shape.len(), shape.max_bytes());
        if !(range.0..=range.1).contains(&tensors) {
            return Err(NetworkError::TensorsLength {
                found: tensors,
                range,
            });
        }
        let (expected, found) = (HEADER_BYTES + length + tensors + HASH_BYTES, bytes.len());
        if expected != found {
            return Err(NetworkError::Length { expected, found });
        }
        let (hashed, stated) = bytes.split_at(found - HASH_BYTES);
        let found = hash(hashed);
        if found.to_le_bytes() != stated {
            let expected = stated.try_into().map_or(0, u64::from_le_bytes);
            return Err(NetworkError::Hash { expected, found });
        }
        let (text, numbers) = hashed[HEADER_BYTES..].split_at(length);
        let text = str::from_utf8(text).map_err(|error| NetworkError::DescriptionText {
            from: error.valid_up_to(),
        })?;
        if let Some(at) = text.find(char::is_control) {
            return Err(NetworkError::DescriptionControl { at });
        }
        Self::from_bytes(shape, scale, text.to_owned(), numbers)
    }

    /// Makes a network of its numbers, by tensor and index. `scale` is the value of one logit in
    /// units of the evaluation, `description` one line of text.
    pub fn from_fn(
        shape: Shape,
        scale: u16,
        description: &str,
        mut number: impl FnMut(Tensor, usize) -> i32,
    ) -> Result<Self, NetworkError> {
        let mut tensors = Vec::new();
        for tensor in Tensor::ALL {
            let shape = shape.tensor(tensor);
            let (least, largest) = shape.number.range();
            let numbers = (0..shape.len()).map(|index| {
                let number = number(tensor, index);
                if (least..=largest).contains(&number) {
                    Ok(number)
                } else {
                    Err(out_of_range(&shape, index, number.into()))
                }
            });
            tensors.push(numbers.collect::<Result<_, _>>()?);
        }
        Self::read(&file(&shape, scale, description, tensors))
    }

    /// The network as a file for `read`.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let tensors = Tensor::ALL.map(|tensor| self.numbers(tensor));
        file(&self.shape, self.scale, &self.description, tensors)
    }
}

/// A file with the numbers of all tensors, which fit their types.
fn file(
    shape: &Shape,
    scale: u16,
    description: &str,
    tensors: impl IntoIterator<Item = Vec<i32>>,
) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(shape.len());
    for (tensor, numbers) in Tensor::ALL.into_iter().zip(tensors) {
        let (first, _) = numbers.split_at(shape.tensor(tensor).bucket_len());
        let before = first.iter().map(|_| &0).chain(&numbers);
        for (&number, &before) in numbers.iter().zip(before) {
            leb128::push(&mut encoded, i64::from(number) - i64::from(before));
        }
    }
    let mut bytes = MAGIC.to_vec();
    for number in [FORMAT_VERSION].into_iter().chain(shape.counts()) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(scale.to_le_bytes());
    bytes.extend(shape.king_map());
    // Neither exceeds `MAX_FILE_SIZE`.
    for length in [description.len(), encoded.len()] {
        bytes.extend((length as u32).to_le_bytes());
    }
    bytes.extend(description.as_bytes());
    bytes.extend(encoded);
    let hash = fnv1a(&bytes);
    bytes.extend(hash.to_le_bytes());
    bytes
}

/// Takes a field off the front of a header.
fn take<const N: usize>(header: &mut &[u8]) -> Result<[u8; N], NetworkError> {
    let (field, rest) = header.split_first_chunk().ok_or(NetworkError::HeaderEnd)?;
    *header = rest;
    Ok(*field)
}
