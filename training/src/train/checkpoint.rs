//! Checkpoints: a run between two steps, from which it resumes as if never interrupted.
//!
//! ```text
//! magic "CASTLRUN", version                    8 bytes, u32
//! recipe, description                          text: length u32, UTF-8
//! hidden, king and output buckets              u32 each
//! king map                                     64 bytes
//! scale                                        u16
//! epochs in all, completed, batches completed  u64 each
//! loss of these batches, summed                f64
//! history                                      u32, then the numbers of each epoch
//! optimiser steps                              u64
//! weights, moments, moments of the factoriser  f32 in the trainer's order
//! CRC-32 of everything before                  u32
//! ```
//! All little-endian. The checksum is verified before anything behind the version is parsed.

use super::adam::Adam;
use super::trainer::{EpochStats, Progress, State};
use super::weights::{Layout, TILE, Tile};
use common::files::{FileError, replace};
use search::nnue::{Shape, ShapeError};
use std::path::Path;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CASTLRUN";
const VERSION: u32 = 1;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Checkpoint {
    /// Everything that determines the run, as text.
    pub(super) recipe: String,
    /// The first part of the network's description.
    pub(super) description: String,
    pub(super) shape: Shape,
    pub(super) scale: u16,
    /// Epochs the run is to have.
    pub(super) epochs: usize,
    pub(super) progress: Progress,
    pub(super) history: Vec<EpochStats>,
    pub(super) state: State,
}

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("not a checkpoint: expected it to start with 'CASTLRUN'")]
    Magic,
    #[error("unsupported checkpoint version {found}; expected {VERSION}")]
    Version { found: u32 },
    #[error("damaged checkpoint: checksum {found:08x}, expected {stated:08x}")]
    Checksum { stated: u32, found: u32 },
    #[error("truncated checkpoint: it ends in its {0}")]
    Truncated(&'static str),
    #[error("invalid checkpoint: {0} extra bytes at the end")]
    Trailing(usize),
    #[error("invalid checkpoint: its {0} is not UTF-8")]
    Text(&'static str),
    #[error("invalid network shape in the checkpoint: {0}")]
    Shape(#[from] ShapeError),
}

impl Checkpoint {
    pub(super) fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(replace(path, &self.to_bytes())?)
    }

    pub(super) fn load(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = std::fs::read(path).map_err(FileError::read(path))?;
        Self::read(&bytes)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.progress.epoch >= self.epochs
    }

    /// The network's description, with its epoch and losses.
    pub(super) fn network_description(&self) -> String {
        let mut text = self.description.clone();
        if let Some(last) = self.history.last() {
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
        for count in [self.epochs, self.progress.epoch, self.progress.batch] {
            put.extend((count as u64).to_le_bytes());
        }
        put.extend(self.progress.loss.to_le_bytes());
        put.extend((self.history.len() as u32).to_le_bytes());
        for stats in &self.history {
            put.extend((stats.epoch as u64).to_le_bytes());
            put.extend(stats.positions.to_le_bytes());
            // NaN stands for no validation loss.
            let validation = stats.validation.unwrap_or(f64::NAN);
            let (rate, speed) = (stats.learning_rate, stats.positions_per_second);
            for number in [stats.train, validation, rate, speed] {
                put.extend(number.to_le_bytes());
            }
        }
        let State { weights, adam } = &self.state;
        put.extend(adam.steps.to_le_bytes());
        for tiles in [
            weights,
            &adam.weights.first,
            &adam.weights.second,
            &adam.factoriser.first,
            &adam.factoriser.second,
        ] {
            put.extend(
                tiles
                    .iter()
                    .flat_map(|tile| tile.0)
                    .flat_map(f32::to_le_bytes),
            );
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut reader = Reader(bytes);
        if reader.array("magic").ok().as_ref() != Some(MAGIC) {
            return Err(CheckpointError::Magic);
        }
        let found = reader.u32("version")?;
        if found != VERSION {
            return Err(CheckpointError::Version { found });
        }
        let (content, stated) = bytes
            .split_last_chunk()
            .ok_or(CheckpointError::Truncated("checksum"))?;
        let (stated, found) = (u32::from_le_bytes(*stated), crc32fast::hash(content));
        if stated != found {
            return Err(CheckpointError::Checksum { stated, found });
        }
        reader.0 = &reader.0[..reader.0.len().saturating_sub(size_of::<u32>())];
        let checkpoint = reader.checkpoint()?;
        match reader.0.len() {
            0 => Ok(checkpoint),
            extra => Err(CheckpointError::Trailing(extra)),
        }
    }
}

/// The bytes not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], CheckpointError> {
        let split = self.0.split_at_checked(count);
        let (taken, rest) = split.ok_or(CheckpointError::Truncated(what))?;
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
        let text = str::from_utf8(self.take(length, what)?);
        Ok(text.map_err(|_| CheckpointError::Text(what))?.to_owned())
    }

    /// Everything between version and checksum.
    fn checkpoint(&mut self) -> Result<Checkpoint, CheckpointError> {
        let recipe = self.text("recipe")?;
        let description = self.text("description")?;
        let [hidden, king_buckets, output_buckets] = [
            self.u32("hidden layer size")? as usize,
            self.u32("number of king buckets")? as usize,
            self.u32("number of output buckets")? as usize,
        ];
        let king_map = self.array("king map")?;
        let shape = Shape::new(hidden, king_buckets, output_buckets, king_map)?;
        let scale = u16::from_le_bytes(self.array("scale")?);
        let epochs = self.u64("number of epochs")? as usize;
        let progress = Progress {
            epoch: self.u64("progress")? as usize,
            batch: self.u64("progress")? as usize,
            loss: self.f64("progress")?,
        };
        let history = (0..self.u32("history")?)
            .map(|_| self.epoch_stats())
            .collect::<Result<_, _>>()?;
        let mut adam = Adam::new(&Layout::new(&shape));
        adam.steps = self.u64("optimiser state")?;
        let weights = self.tiles(adam.weights.first.len())?;
        for moments in [&mut adam.weights, &mut adam.factoriser] {
            moments.first = self.tiles(moments.first.len())?;
            moments.second = self.tiles(moments.second.len())?;
        }
        Ok(Checkpoint {
            recipe,
            description,
            shape,
            scale,
            epochs,
            progress,
            history,
            state: State { weights, adam },
        })
    }

    fn epoch_stats(&mut self) -> Result<EpochStats, CheckpointError> {
        const WHAT: &str = "history";
        Ok(EpochStats {
            epoch: self.u64(WHAT)? as usize,
            positions: self.u64(WHAT)?,
            train: self.f64(WHAT)?,
            validation: Some(self.f64(WHAT)?).filter(|loss| !loss.is_nan()),
            learning_rate: self.f64(WHAT)?,
            positions_per_second: self.f64(WHAT)?,
        })
    }

    fn tiles(&mut self, count: usize) -> Result<Vec<Tile>, CheckpointError> {
        let bytes = self.take(count * size_of::<Tile>(), "weights")?;
        let (numbers, _) = bytes.as_chunks();
        let (tiles, _) = numbers.as_chunks::<TILE>();
        let tiles = tiles.iter().map(|tile| Tile(tile.map(f32::from_le_bytes)));
        Ok(tiles.collect())
    }
}
