//! `castellan-train quantise`: the network of a checkpoint, as the engine reads it.

use crate::train::{Checkpoint, CheckpointError, RoundingError, write_rounded};
use std::io::{self, Write};
use std::path::PathBuf;
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A run's checkpoint
    checkpoint: PathBuf,
    /// The network to write
    #[arg(long, value_name = "NET")]
    out: PathBuf,
}

#[derive(Debug, Error)]
pub enum QuantiseError {
    #[error("{}: {source}", path.display())]
    Checkpoint {
        path: PathBuf,
        source: CheckpointError,
    },
    #[error(transparent)]
    Rounding(#[from] RoundingError),
    #[error("what there is to say cannot be written: {0}")]
    Output(#[from] io::Error),
}

pub fn run(args: &Args) -> Result<(), QuantiseError> {
    let said = quantise(args)?;
    Ok(writeln!(io::stdout(), "{said}")?)
}

/// Does it, and returns what there is to say.
pub(crate) fn quantise(args: &Args) -> Result<String, QuantiseError> {
    let Args { checkpoint, out } = args;
    let read = Checkpoint::load(checkpoint).map_err(|source| QuantiseError::Checkpoint {
        path: checkpoint.clone(),
        source,
    })?;
    let rounding = write_rounded(&read, out)?;
    Ok(format!("{}: {rounding}", out.display()))
}
