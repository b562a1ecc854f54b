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
//! feature weights             i16, a row of hidden neurons for each feature
//! feature biases              i16, a row
//! output weights              i16, two rows for each output bucket
//! output biases               i32, one for each output bucket
//! FNV-1a of all of the above  u64
//! ```

use super::network::{Network, NetworkError, block_numbers};
use super::shape::{MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS, Shape};
use super::{FORMAT_VERSION, MAX_DESCRIPTION_LENGTH};

const MAGIC: &[u8; 8] = b"CASTLNET";
const HASH_BYTES: usize = size_of::<u64>();
/// Everything before the description.
const HEADER_BYTES: usize = MAGIC.len() + 4 * size_of::<u32>() + size_of::<u16>() + 64 + 4;

/// The size of the largest network file, in bytes.
pub const MAX_FILE_SIZE: usize = HEADER_BYTES
    + MAX_DESCRIPTION_LENGTH
    + number_bytes(MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS)
    + HASH_BYTES;

/// Bytes of all weights and biases.
const fn number_bytes(hidden: usize, king_buckets: usize, output_buckets: usize) -> usize {
    let rows = king_buckets * super::FEATURES + 1 + output_buckets * 2;
    rows * hidden * size_of::<i16>() + output_buckets * size_of::<i32>()
}

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
        let description = reader.description()?;

        // Nothing of the network's size is allocated before the file is known to have it.
        let numbers = number_bytes(hidden, king_buckets, output_buckets);
        let expected = reader.at + numbers + HASH_BYTES;
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
        let feature_weights = reader.numbers(shape.feature_count() * hidden)?;
        let feature_biases = reader.numbers(hidden)?;
        let output_weights = reader.numbers(output_buckets * 2 * hidden)?;
        let biases = reader.take("output biases", output_buckets * size_of::<i32>())?;
        let (biases, _) = biases.as_chunks();
        let output_biases: Vec<i32> = biases
            .iter()
            .map(|&bias| i32::from_le_bytes(bias))
            .collect();
        Self::from_parts(
            shape,
            scale,
            description,
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
        )
    }

    /// The network as a file for `read`.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { shape, .. } = self;
        let (hidden, kings, outputs) =
            (shape.hidden(), shape.king_buckets(), shape.output_buckets());
        let numbers = number_bytes(hidden, kings, outputs);
        let header = HEADER_BYTES + self.description.len();
        let mut bytes = Vec::with_capacity(header + numbers + HASH_BYTES);
        bytes.extend(MAGIC);
        // None of these exceeds 1024.
        let counts = [hidden, kings, outputs].map(|count| count as u32);
        for number in [FORMAT_VERSION].into_iter().chain(counts) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(shape.king_map());
        bytes.extend((self.description.len() as u32).to_le_bytes());
        bytes.extend(self.description.as_bytes());
        for rows in [
            &self.feature_weights,
            &self.feature_biases,
            &self.output_weights,
        ] {
            bytes.extend(block_numbers(rows).flat_map(i16::to_le_bytes));
        }
        bytes.extend(
            self.output_biases
                .iter()
                .flat_map(|bias| bias.to_le_bytes()),
        );
        let hash = fnv1a(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }
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
        let text = self.take(WHAT, length)?;
        match str::from_utf8(text) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(NetworkError::DescriptionText {
                from: error.valid_up_to(),
            }),
        }
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<i16>, NetworkError> {
        let (pairs, _) = self.take("weights", count * size_of::<i16>())?.as_chunks();
        Ok(pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect())
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
