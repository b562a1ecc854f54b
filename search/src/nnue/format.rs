//! A network as a file: a header, the numbers, and a hash over both; all little-endian.
//!
//! ```text
//! magic "CASTLNET"            8 bytes
//! version                     u32
//! hidden neurons a side       u32
//! king buckets                u32
//! output buckets              u32
//! scale                       u16
//! king map                    64 bytes, a1 first
//! length of the description   u32
//! description                 UTF-8
//! feature weights             i16, a row of hidden for each feature
//! feature biases              i16, a row
//! output weights              i16, two rows for each output bucket
//! output biases               i32, one for each output bucket
//! FNV-1a of all before        u64
//! ```

use super::block;
use super::shape::{MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS, Shape, ShapeError};
use super::{MAX_DESCRIPTION_LENGTH, MAX_OUTPUT_WEIGHT, Network};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CASTLNET";
const VERSION: u32 = 1;
const HASH_BYTES: usize = size_of::<u64>();
/// All before the description.
const HEADER_BYTES: usize = MAGIC.len() + 4 * size_of::<u32>() + size_of::<u16>() + 64 + 4;

/// No file of a network is longer, in bytes.
pub const MAX_FILE_SIZE: usize = HEADER_BYTES
    + MAX_DESCRIPTION_LENGTH
    + number_bytes(MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS)
    + HASH_BYTES;

/// Why something is no network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    #[error("this is no network: it does not begin with 'CASTLNET'")]
    Magic,
    #[error("the network is of format version {found}; version {VERSION} is understood")]
    Version { found: u32 },
    #[error(
        "the network ends after {found} bytes, within its {what}, which takes {missing} bytes more"
    )]
    HeaderEnd {
        what: &'static str,
        found: usize,
        missing: usize,
    },
    #[error("the network's shape is impossible: {0}")]
    Shape(#[from] ShapeError),
    #[error("the network's scale is 0; it must be 1 to 65535")]
    Scale,
    #[error(
        "the network's description is {found} bytes long; at most {MAX_DESCRIPTION_LENGTH} are allowed"
    )]
    DescriptionLength { found: usize },
    #[error("the network's description is not UTF-8 from its byte {from} on")]
    DescriptionText { from: usize },
    #[error("the network's description has a control character at its byte {at}; it is one line")]
    DescriptionControl { at: usize },
    #[error("a network with this header takes {wanted} bytes, not {found}")]
    Length { wanted: usize, found: usize },
    #[error("the network is damaged: its hash is {found:016x}, and it should be {stated:016x}")]
    Hash { stated: u64, found: u64 },
    #[error("a network of this shape has {wanted} {what}, not {found}")]
    Count {
        what: &'static str,
        wanted: usize,
        found: usize,
    },
    #[error("there is no memory for the network's numbers")]
    Memory,
    #[error(
        "output weight {number} of the network is {found}; it must be from -{MAX_OUTPUT_WEIGHT} to \
         {MAX_OUTPUT_WEIGHT}"
    )]
    OutputWeight { number: usize, found: i16 },
}

/// Bytes of all weights and biases.
const fn number_bytes(hidden: usize, king_buckets: usize, output_buckets: usize) -> usize {
    let rows = king_buckets * super::FEATURES + 1 + output_buckets * 2;
    rows * hidden * size_of::<i16>() + output_buckets * size_of::<i32>()
}

impl Network {
    /// Reads a whole file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(NetworkError::Magic);
        }
        reader.at = MAGIC.len();
        let version = reader.u32("version")?;
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let hidden = reader.count("width")?;
        let king_buckets = reader.count("count of king buckets")?;
        let output_buckets = reader.count("count of output buckets")?;
        let scale = u16::from_le_bytes(reader.array("scale")?);
        let king_map = reader.array("king map")?;
        let shape = Shape::new(hidden, king_buckets, output_buckets, king_map)?;
        let description = reader.description()?;

        // Only now that the length is known to be right is anything of that length made.
        let numbers = number_bytes(hidden, king_buckets, output_buckets);
        let wanted = reader.at + numbers + HASH_BYTES;
        if bytes.len() != wanted {
            return Err(NetworkError::Length {
                wanted,
                found: bytes.len(),
            });
        }
        let (hashed, stated) = bytes.split_at(wanted - HASH_BYTES);
        let found = fnv1a(hashed);
        if found.to_le_bytes() != stated {
            let stated = stated.try_into().map_or(0, u64::from_le_bytes);
            return Err(NetworkError::Hash { stated, found });
        }
        let feature_weights = reader.numbers(shape.feature_count() * hidden)?;
        let feature_bias = reader.numbers(hidden)?;
        let output_weights = reader.numbers(output_buckets * 2 * hidden)?;
        let biases = reader.take("output biases", output_buckets * size_of::<i32>())?;
        let (biases, _) = biases.as_chunks();
        let output_bias: Vec<i32> = biases
            .iter()
            .map(|&bias| i32::from_le_bytes(bias))
            .collect();
        Self::from_parts(
            shape,
            scale,
            description,
            feature_weights,
            feature_bias,
            output_weights,
            output_bias,
        )
    }

    /// The network as a file, which `read` understands.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { shape, .. } = self;
        let (hidden, kings, outputs) =
            (shape.hidden(), shape.king_buckets(), shape.output_buckets());
        let numbers = number_bytes(hidden, kings, outputs);
        let header = HEADER_BYTES + self.description.len();
        let mut bytes = Vec::with_capacity(header + numbers + HASH_BYTES);
        bytes.extend(MAGIC);
        // None of these is larger than some thousands.
        let counts = [hidden, kings, outputs].map(|count| count as u32);
        for number in [VERSION].into_iter().chain(counts) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(shape.king_map());
        bytes.extend((self.description.len() as u32).to_le_bytes());
        bytes.extend(self.description.as_bytes());
        for rows in [
            &self.feature_weights,
            &self.feature_bias,
            &self.output_weights,
        ] {
            bytes.extend(block::numbers(rows).flat_map(i16::to_le_bytes));
        }
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let hash = fnv1a(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }
}

/// A file being read, from front to back.
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

/// The hash of Fowler, Noll and Vo, variant 1a: tells damage, not forgery.
fn fnv1a(bytes: &[u8]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    bytes.iter().fold(BASIS, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}
