//! `castellan tridim`: count and analyze Tri-Dimensional chess.

mod commands;

use std::io::{self, ErrorKind};

use thiserror::Error;
use tridim::TextError;

pub(crate) use commands::{AnalyzeArgs, PerftArgs, analyze, perft};

/// The reason a command failed.
#[derive(Debug, Error)]
pub(crate) enum TridimError {
    #[error(transparent)]
    Position(#[from] TextError),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a command on standard output, whose reader may have gone.
pub(crate) fn run(
    command: impl FnOnce(&mut io::Stdout) -> Result<(), TridimError>,
) -> Result<(), TridimError> {
    match command(&mut io::stdout()) {
        Err(TridimError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
