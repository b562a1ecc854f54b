//! The network file: a header, the numbers, and a hash of both, all little-endian.
//!
//! ```text
//! magic "CASTLNET"            8 bytes
//! version                     u32
//! hidden neurons per side     u32
//! king buckets                u32
//! output buckets              u32
//! scale                       u16
//! king map                    64 bytes, a1 first
//! length of the description   u32
//! description                 UTF-8
//! tensors                     as `Shape::tensor` describes them
//! FNV-1a of all of the above  u64
//! ```

use super::network::{Network, NetworkError, check};
use super::shape::{Number, Shape, Tensor};
use super::{FORMAT_VERSION, MAX_DESCRIPTION_LENGTH};

const MAGIC: &[u8; 8] = b"CASTLNET";
const HASH_BYTES: usize = size_of::<u64>();
/// Everything before the description.
const HEADER_BYTES: usize = MAGIC.len() + 4 * size_of::<u32>() + size_of::<u16>() + 64 + 4;

/// The size of the largest network file, in bytes.
pub const MAX_FILE_SIZE: usize =
    HEADER_BYTES + MAX_DESCRIPTION_LENGTH + Shape::LARGEST.bytes() + HASH_BYTES;

impl Network {
    /// Reads a network file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(NetworkError::Magic);
        }
        reader.at = MAGIC.len();
        let version = reader.u32("version")?;
        if version != FORMAT_VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let hidden = reader.count("hidden layer width")?;
        let king_buckets = reader.count("number of king buckets")?;
        let output_buckets = reader.count("number of output buckets")?;
        let scale = u16::from_le_bytes(reader.array("scale")?);
        let king_map = reader.array("king map")?;
        let shape = Shape::new(hidden, king_buckets, output_buckets, king_map)?;
        if scale == 0 {
            return Err(NetworkError::Scale);
        }
        let description = reader.description()?;

        // Nothing of the network's size is allocated before the file is known to have it.
        let expected = reader.at + shape.bytes() + HASH_BYTES;
        if bytes.len() != expected {
            return Err(NetworkError::Length {
                expected,
                found: bytes.len(),
            });
        }
        let (hashed, stated) = bytes.split_at(expected - HASH_BYTES);
        let found = fnv1a(hashed);
        if found.to_le_bytes() != stated {
            let expected = stated.try_into().map_or(0, u64::from_le_bytes);
            return Err(NetworkError::Hash { expected, found });
        }
        Self::from_bytes(shape, scale, description, &hashed[reader.at..])
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
            let numbers: Vec<i32> = (0..shape.len())
                .map(|index| number(tensor, index))
                .collect();
            check(tensor, &shape, &numbers)?;
            tensors.push(numbers);
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
    let header = HEADER_BYTES + description.len();
    let mut bytes = Vec::with_capacity(header + shape.bytes() + HASH_BYTES);
    bytes.extend(MAGIC);
    let counts = [shape.hidden(), shape.king_buckets(), shape.output_buckets()];
    // None of these exceeds 1024.
    let counts = counts.map(|count| count as u32);
    for number in [FORMAT_VERSION].into_iter().chain(counts) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(scale.to_le_bytes());
    bytes.extend(shape.king_map());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    for (tensor, numbers) in Tensor::ALL.into_iter().zip(tensors) {
        match shape.tensor(tensor).number {
            Number::I16 => bytes.extend(numbers.iter().flat_map(|&n| (n as i16).to_le_bytes())),
            Number::I32 => bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes())),
        }
    }
    let hash = fnv1a(&bytes);
    bytes.extend(hash.to_le_bytes());
    bytes
}

/// Reads a file from front to back.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, what: &'static str, count: usize) -> Result<&'a [u8], NetworkError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(taken) = rest.get(..count) else {
            return Err(NetworkError::HeaderEnd {
                what,
                found: self.bytes.len(),
                missing: count - rest.len(),
            });
        };
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], NetworkError> {
        let taken = self.take(what, N)?;
        let mut array = [0; N];
        array.copy_from_slice(taken);
        Ok(array)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn count(&mut self, what: &'static str) -> Result<usize, NetworkError> {
        Ok(usize::try_from(self.u32(what)?).unwrap_or(usize::MAX))
    }

    fn description(&mut self) -> Result<String, NetworkError> {
        const WHAT: &str = "description";
        let length = self.count(WHAT)?;
        if length > MAX_DESCRIPTION_LENGTH {
            return Err(NetworkError::DescriptionLength { found: length });
        }
        let text = match str::from_utf8(self.take(WHAT, length)?) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                let from = error.valid_up_to();
                return Err(NetworkError::DescriptionText { from });
            }
        };
        match text.find(char::is_control) {
            Some(at) => Err(NetworkError::DescriptionControl { at }),
            None => Ok(text),
        }
    }
}

/// The hash FNV-1a (Fowler, Noll and Vo). It detects damage, not forgery.
fn fnv1a(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    bytes.iter().fold(BASIS, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}
