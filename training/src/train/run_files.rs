//! The files of a run, all under the network's name: checkpoint, loss table, recipe, and at the end
//! the network.

use super::checkpoint::Checkpoint;
use super::trainer::{EpochStats, Run};
use super::{quantize, recipe};
use crate::progress;
use anyhow::{Result, anyhow, bail};
use common::files::{FileError, replace};
use search::nnue::Shape;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Names and contents of a run's files.
#[derive(Clone, Debug)]
pub(super) struct RunFiles {
    pub(super) network: PathBuf,
    pub(super) recipe: String,
    pub(super) description: String,
    pub(super) shape: Shape,
    pub(super) scale: u16,
}

/// Extensions of the files next to the network.
const EXTENSIONS: [&str; 3] = ["checkpoint", "csv", "toml"];

/// The checkpoint of a network; an error if the network has the name of another file of the run.
pub(super) fn checkpoint_path(network: &Path) -> Result<PathBuf> {
    let taken = |extension| network.with_extension(extension) == network;
    if EXTENSIONS.into_iter().any(taken) {
        bail!(
            "invalid network name {}: the extensions checkpoint, csv and toml are used by the run's \
             other files (use .net)",
            network.display()
        );
    }
    Ok(network.with_extension("checkpoint"))
}

/// All files of a run.
pub(super) fn all(network: &Path) -> impl Iterator<Item = PathBuf> {
    let beside = EXTENSIONS.map(|extension| network.with_extension(extension));
    beside.into_iter().chain([network.to_path_buf()])
}

/// Fails if a new run would replace a file.
pub(super) fn refuse_existing(network: &Path) -> Result<()> {
    let taken = all(network).find(|path| path.symlink_metadata().is_ok());
    match taken {
        Some(path) => Err(anyhow!("{} (use --force)", FileError::Exists { path })),
        None => Ok(()),
    }
}

impl RunFiles {
    fn write(&self, extension: &str, text: &str) -> Result<()> {
        let path = self.network.with_extension(extension);
        Ok(replace(&path, text.as_bytes())?)
    }

    pub(super) fn write_recipe(&self) -> Result<()> {
        self.write("toml", &self.recipe)
    }

    pub(super) fn write_checkpoint(&self, run: &Run<'_>) -> Result<()> {
        let path = self.network.with_extension("checkpoint");
        Ok(self.checkpoint(run).save(&path)?)
    }

    pub(super) fn write_losses(&self, run: &Run<'_>) -> Result<()> {
        self.write("csv", &csv(&run.history))
    }

    /// The network, and its result in the recipe; returns what rounding changes as text.
    pub(super) fn write_network(&self, run: &Run<'_>) -> Result<String> {
        let rounding = quantize::write(&self.checkpoint(run), &self.network)?;
        let last = run.history.last();
        let recipe = recipe::with_result(&self.recipe, last, &self.network, &rounding)?;
        self.write("toml", &recipe)?;
        Ok(rounding)
    }

    fn checkpoint(&self, run: &Run<'_>) -> Checkpoint {
        Checkpoint {
            recipe: self.recipe.clone(),
            description: self.description.clone(),
            shape: self.shape,
            scale: self.scale,
            epochs: run.parameters.epochs.get(),
            progress: run.progress,
            history: run.history.clone(),
            state: run.trainer.state().clone(),
        }
    }
}

/// Headings of the lines of `line`.
pub(super) const HEADINGS: &str =
    "epoch      positions      train  validation         rate  positions/s  time left";

/// An epoch of a run, for the terminal.
pub(super) fn line(stats: &EpochStats, epochs: usize) -> String {
    let positions = stats.positions as f64 / stats.epoch.max(1) as f64;
    let left = positions * epochs.saturating_sub(stats.epoch) as f64;
    let validation = stats.validation.map(|loss| format!("{loss:.6}"));
    format!(
        "{:>5} {:>14} {:>10.6} {:>11} {:>12.8} {:>12.0} {:>10}",
        stats.epoch,
        stats.positions,
        stats.train,
        validation.unwrap_or_else(|| "-".into()),
        stats.learning_rate,
        stats.positions_per_second,
        progress::time(left / stats.positions_per_second.max(1.0)),
    )
}

fn csv(history: &[EpochStats]) -> String {
    let mut text = String::from("epoch,positions,train,validation,rate,positions_per_second\n");
    for stats in history {
        let validation = stats.validation.map(|loss| loss.to_string());
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.0}",
            stats.epoch,
            stats.positions,
            stats.train,
            validation.unwrap_or_default(),
            stats.learning_rate,
            stats.positions_per_second,
        );
    }
    text
}
