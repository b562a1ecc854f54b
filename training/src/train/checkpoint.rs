//! Checkpoints: the state of a run between two steps, from which it resumes as if never
//! interrupted.
//!
//! Magic "CASTLRUN" and version (u32); recipe and description (length as u32, then UTF-8); the
//! `CheckpointHead`; for each completed epoch an `EpochRow`; optimizer steps (u64); weights,
//! moments and moments of the factorizer (f32, in the trainer's order); and the CRC-32 of
//! everything before it. All numbers are little-endian. The checksum is verified before anything
//! after the version is parsed.

use super::adam::Adam;
use super::trainer::{EpochStats, RunProgress, TrainState};
use super::weights::{Layout, TILE, Tile};
use anyhow::{Context, Result, anyhow, bail, ensure};
use common::files::{self, FileError, replace};
use search::nnue::Shape;
use std::iter;
use std::path::Path;
use zerocopy::little_endian::{F64, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

const MAGIC: [u8; 8] = *b"CASTLRUN";
const VERSION: u32 = 2;

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Checkpoint {
    /// Everything that determines the run, as text.
    pub(super) recipe: String,
    /// The first part of the network's description.
    pub(super) description: String,
    pub(super) shape: Shape,
    pub(super) scale: u16,
    /// Epochs of the complete run.
    pub(super) epochs: usize,
    pub(super) progress: RunProgress,
    pub(super) history: Vec<EpochStats>,
    pub(super) state: TrainState,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct CheckpointHead {
    /// `Shape::counts`.
    counts: [U32; 4],
    king_map: [u8; 64],
    scale: U16,
    epochs: U64,
    progress_epoch: U64,
    progress_batch: U64,
    progress_loss: F64,
    /// Number of epochs in the history.
    history: U32,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct EpochRow {
    epoch: U64,
    positions: U64,
    train: F64,
    /// NaN for none.
    validation: F64,
    learning_rate: F64,
    positions_per_second: F64,
}

impl From<&EpochStats> for EpochRow {
    fn from(stats: &EpochStats) -> Self {
        Self {
            epoch: (stats.epoch as u64).into(),
            positions: stats.positions.into(),
            train: stats.train.into(),
            validation: stats.validation.unwrap_or(f64::NAN).into(),
            learning_rate: stats.learning_rate.into(),
            positions_per_second: stats.positions_per_second.into(),
        }
    }
}

impl From<EpochRow> for EpochStats {
    fn from(row: EpochRow) -> Self {
        Self {
            epoch: row.epoch.get() as usize,
            positions: row.positions.get(),
            train: row.train.get(),
            validation: Some(row.validation.get()).filter(|loss| !loss.is_nan()),
            learning_rate: row.learning_rate.get(),
            positions_per_second: row.positions_per_second.get(),
        }
    }
}

impl Checkpoint {
    pub(super) fn save(&self, path: &Path) -> Result<(), FileError> {
        replace(path, &self.to_bytes())
    }

    pub(super) fn load(path: &Path) -> Result<Self> {
        /// Several times what the largest network needs.
        const MOST_BYTES: u64 = 1 << 32;
        let bytes = files::read(path, MOST_BYTES)?;
        let checkpoint = Self::read(&bytes);
        checkpoint.map_err(|error| anyhow!("{}: {error}", path.display()))
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
        let (shape, progress) = (&self.shape, &self.progress);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        for text in [&self.recipe, &self.description] {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        let head = CheckpointHead {
            counts: shape.counts().map(U32::new),
            king_map: *shape.king_map(),
            scale: self.scale.into(),
            epochs: (self.epochs as u64).into(),
            progress_epoch: (progress.epoch as u64).into(),
            progress_batch: (progress.batch as u64).into(),
            progress_loss: progress.loss.into(),
            history: (self.history.len() as u32).into(),
        };
        bytes.extend(head.as_bytes());
        for stats in &self.history {
            bytes.extend(EpochRow::from(stats).as_bytes());
        }
        let TrainState { weights, adam } = &self.state;
        bytes.extend(adam.steps.to_le_bytes());
        let moments = [&adam.weights, &adam.factorizer].map(|m| [&m.first, &m.second]);
        for tiles in iter::once(weights).chain(moments.into_iter().flatten()) {
            let numbers = tiles.iter().flat_map(|tile| tile.0);
            bytes.extend(numbers.flat_map(f32::to_le_bytes));
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut rest = bytes;
        if take::<[u8; 8]>(&mut rest, "magic").ok() != Some(MAGIC) {
            bail!("not a checkpoint: expected it to start with 'CASTLRUN'");
        }
        let found = take::<U32>(&mut rest, "version")?.get();
        ensure!(
            found == VERSION,
            "unsupported checkpoint version {found}; expected {VERSION}"
        );
        let (content, stated) = bytes
            .split_last_chunk()
            .ok_or_else(|| ends_within("checksum"))?;
        let (stated, found) = (u32::from_le_bytes(*stated), crc32fast::hash(content));
        ensure!(
            stated == found,
            "damaged checkpoint: checksum {found:08x}, expected {stated:08x}"
        );
        let mut rest = &rest[..rest.len().saturating_sub(size_of::<u32>())];
        let recipe = take_text(&mut rest, "recipe")?;
        let description = take_text(&mut rest, "description")?;
        let head: CheckpointHead = take(&mut rest, "network shape and progress")?;
        let shape = Shape::from_counts(head.counts.map(U32::get), head.king_map)
            .map_err(|error| anyhow!("invalid network shape in the checkpoint: {error}"))?;
        let history = (0..head.history.get())
            .map(|_| Ok(take::<EpochRow>(&mut rest, "history")?.into()))
            .collect::<Result<_>>()?;
        let mut adam = Adam::new(&Layout::new(&shape));
        adam.steps = take::<U64>(&mut rest, "optimizer state")?.get();
        let weights = take_tiles(&mut rest, adam.weights.first.len())?;
        for moments in [&mut adam.weights, &mut adam.factorizer] {
            moments.first = take_tiles(&mut rest, moments.first.len())?;
            moments.second = take_tiles(&mut rest, moments.second.len())?;
        }
        let extra = rest.len();
        ensure!(
            extra == 0,
            "invalid checkpoint: {extra} extra bytes at the end"
        );
        Ok(Self {
            recipe,
            description,
            shape,
            scale: head.scale.get(),
            epochs: head.epochs.get() as usize,
            progress: RunProgress {
                epoch: head.progress_epoch.get() as usize,
                batch: head.progress_batch.get() as usize,
                loss: head.progress_loss.get(),
            },
            history,
            state: TrainState { weights, adam },
        })
    }
}

fn ends_within(what: &str) -> anyhow::Error {
    anyhow!("invalid checkpoint: ends within its {what}")
}

/// Takes a value off the front of the bytes.
fn take<T: FromBytes>(bytes: &mut &[u8], what: &str) -> Result<T> {
    let read = T::read_from_prefix(bytes);
    let (value, rest) = read.map_err(|_| ends_within(what))?;
    *bytes = rest;
    Ok(value)
}

fn take_bytes<'a>(bytes: &mut &'a [u8], count: usize, what: &str) -> Result<&'a [u8]> {
    let split = bytes.split_off(..count);
    split.ok_or_else(|| ends_within(what))
}

fn take_text(bytes: &mut &[u8], what: &str) -> Result<String> {
    let length = take::<U32>(bytes, what)?.get() as usize;
    let text = str::from_utf8(take_bytes(bytes, length, what)?);
    let text = text.ok().map(str::to_owned);
    text.with_context(|| format!("invalid checkpoint: its {what} is not UTF-8"))
}

fn take_tiles(bytes: &mut &[u8], count: usize) -> Result<Vec<Tile>> {
    let bytes = take_bytes(bytes, count * size_of::<Tile>(), "weights")?;
    let (numbers, _) = bytes.as_chunks();
    let (tiles, _) = numbers.as_chunks::<TILE>();
    let tiles = tiles.iter().map(|tile| Tile(tile.map(f32::from_le_bytes)));
    Ok(tiles.collect())
}
