//! A run between two steps, as a file: everything needed to go on as if nothing had happened.
//!
//! ```text
//! magic "CASTLRUN", version             8 bytes, u32
//! recipe, short description             text: length u32, UTF-8
//! hidden, king and output buckets       u32 each
//! king map                              64 bytes
//! scale                                 u16
//! epochs in all and done, batches of the next  u64 each
//! loss of these batches, summed         f64
//! rows of the history                   u32, then each row's numbers
//! steps                                 u64
//! weights, two moments, shared moments  f32 in the trainer's order
//! CRC-32 of all before                  u32
//! ```
//! All little-endian. The checksum is looked at first; what is wrong after that was written so.

use super::adam::{Adam, Moments};
use super::output::Row;
use super::trainer::{Place, State};
use super::weights::{Layout, STRIP, Strip};
use crate::replace::{FileError, replace};
use search::nnue::{Shape, ShapeError};
use std::path::Path;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CASTLRUN";
const VERSION: u32 = 1;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Checkpoint {
    /// All that decides what becomes of the run, as text.
    pub(crate) recipe: String,
    /// What a network made of it says of itself.
    pub(crate) description: String,
    pub(crate) shape: Shape,
    pub(crate) scale: u16,
    /// How many epochs the run is to have.
    pub(super) epochs: usize,
    pub(super) place: Place,
    pub(super) rows: Vec<Row>,
    pub(super) state: State,
}

/// Why there is no checkpoint to be had from a file.
#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("this is no checkpoint: it does not begin with 'CASTLRUN'")]
    Magic,
    #[error("the checkpoint is of version {found}; this program reads version {VERSION}")]
    Version { found: u32 },
    #[error(
        "the checkpoint is damaged: its checksum is {found:08x}, and it should be {stated:08x}"
    )]
    Checksum { stated: u32, found: u32 },
    #[error("the checkpoint ends within its {0}")]
    Short(&'static str),
    #[error("the checkpoint goes on for {0} bytes after its end")]
    Long(usize),
    #[error("the checkpoint's {0} is not UTF-8")]
    Text(&'static str),
    #[error("the checkpoint's network has an impossible shape: {0}")]
    Shape(#[from] ShapeError),
}

impl Checkpoint {
    pub(crate) fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(replace(path, &self.to_bytes())?)
    }

    pub(crate) fn load(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = std::fs::read(path).map_err(FileError::at(path))?;
        Self::read(&bytes)
    }

    pub(super) fn is_over(&self) -> bool {
        self.place.epoch >= self.epochs
    }

    /// What the network says of itself, with how far it was taught and how well.
    pub(super) fn described(&self) -> String {
        let mut text = self.description.clone();
        if let Some(last) = self.rows.last() {
            text += &format!("; after epoch {}: loss {:.6}", last.epoch, last.train);
            if let Some(loss) = last.validation {
                text += &format!(", on games put aside {loss:.6}");
            }
        }
        text
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let put = &mut bytes;
        put.extend(VERSION.to_le_bytes());
        for text in [&self.recipe, &self.description] {
            put.extend((text.len() as u32).to_le_bytes());
            put.extend(text.as_bytes());
        }
        let shape = &self.shape;
        for count in [shape.hidden(), shape.king_buckets(), shape.output_buckets()] {
            put.extend((count as u32).to_le_bytes());
        }
        put.extend(shape.king_map());
        put.extend(self.scale.to_le_bytes());
        for count in [self.epochs, self.place.epoch, self.place.batch] {
            put.extend((count as u64).to_le_bytes());
        }
        put.extend(self.place.loss.to_le_bytes());
        put.extend((self.rows.len() as u32).to_le_bytes());
        for row in &self.rows {
            put.extend((row.epoch as u64).to_le_bytes());
            put.extend(row.positions.to_le_bytes());
            // No loss is a number that is none.
            let validation = row.validation.unwrap_or(f64::NAN);
            for number in [row.train, validation, row.rate, row.speed] {
                put.extend(number.to_le_bytes());
            }
        }
        let State { weights, adam } = &self.state;
        put.extend(adam.steps.to_le_bytes());
        let vectors = [&adam.own, &adam.shared].map(|moments| [&moments.first, &moments.second]);
        for strips in [weights].into_iter().chain(vectors.into_iter().flatten()) {
            put.extend(
                strips
                    .iter()
                    .flat_map(|strip| strip.0)
                    .flat_map(f32::to_le_bytes),
            );
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut reader = Reader(bytes);
        if reader.array("beginning").ok().as_ref() != Some(MAGIC) {
            return Err(CheckpointError::Magic);
        }
        let found = reader.u32("version")?;
        if found != VERSION {
            return Err(CheckpointError::Version { found });
        }
        let (checked, stated) = bytes
            .split_last_chunk()
            .ok_or(CheckpointError::Short("checksum"))?;
        let (stated, found) = (u32::from_le_bytes(*stated), crc32fast::hash(checked));
        if stated != found {
            return Err(CheckpointError::Checksum { stated, found });
        }
        reader.0 = &reader.0[..reader.0.len().saturating_sub(size_of::<u32>())];
        let checkpoint = Self::body(&mut reader)?;
        match reader.0.len() {
            0 => Ok(checkpoint),
            more => Err(CheckpointError::Long(more)),
        }
    }

    fn body(reader: &mut Reader<'_>) -> Result<Self, CheckpointError> {
        let recipe = reader.text("recipe")?;
        let description = reader.text("description")?;
        let [hidden, kings, outputs] = [
            reader.u32("width")?,
            reader.u32("count of king buckets")?,
            reader.u32("count of output buckets")?,
        ]
        .map(|count| count as usize);
        let shape = Shape::new(hidden, kings, outputs, reader.array("king map")?)?;
        let scale = u16::from_le_bytes(reader.array("scale")?);
        let epochs = reader.u64("epochs")? as usize;
        let place = Place {
            epoch: reader.u64("epochs")? as usize,
            batch: reader.u64("batches")? as usize,
            loss: reader.f64("loss")?,
        };
        let rows = reader.u32("rows")?;
        let rows = (0..rows).map(|_| reader.row()).collect::<Result<_, _>>()?;
        let steps = reader.u64("steps")?;
        let mut like = Adam::new(&Layout::new(&shape));
        let weights = reader.strips(like.own.first.len())?;
        for Moments { first, second } in [&mut like.own, &mut like.shared] {
            *first = reader.strips(first.len())?;
            *second = reader.strips(second.len())?;
        }
        let adam = Adam { steps, ..like };
        Ok(Self {
            recipe,
            description,
            shape,
            scale,
            epochs,
            place,
            rows,
            state: State { weights, adam },
        })
    }
}

/// What has not been read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], CheckpointError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(CheckpointError::Short(what))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], CheckpointError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, what)?);
        Ok(array)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, CheckpointError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn u64(&mut self, what: &'static str) -> Result<u64, CheckpointError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    fn f64(&mut self, what: &'static str) -> Result<f64, CheckpointError> {
        Ok(f64::from_le_bytes(self.array(what)?))
    }

    fn text(&mut self, what: &'static str) -> Result<String, CheckpointError> {
        let length = self.u32(what)? as usize;
        let bytes = self.take(length, what)?;
        let text = str::from_utf8(bytes).map_err(|_| CheckpointError::Text(what))?;
        Ok(text.to_owned())
    }

    fn row(&mut self) -> Result<Row, CheckpointError> {
        const WHAT: &str = "history";
        Ok(Row {
            epoch: self.u64(WHAT)? as usize,
            positions: self.u64(WHAT)?,
            train: self.f64(WHAT)?,
            validation: Some(self.f64(WHAT)?).filter(|loss| !loss.is_nan()),
            rate: self.f64(WHAT)?,
            speed: self.f64(WHAT)?,
        })
    }

    fn strips(&mut self, count: usize) -> Result<Vec<Strip>, CheckpointError> {
        let bytes = self.take(count * size_of::<Strip>(), "weights")?;
        let (numbers, _) = bytes.as_chunks();
        let (strips, _) = numbers.as_chunks::<STRIP>();
        Ok(strips
            .iter()
            .map(|strip| Strip(strip.map(f32::from_le_bytes)))
            .collect())
    }
}
