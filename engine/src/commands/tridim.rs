//! `castellan tridim`: count, analyze and draw Tri-Dimensional chess.

mod commands;
mod svg;

use std::io::{self, ErrorKind};

use thiserror::Error;
use tridim::{CastlingError, TextError};

pub(crate) use commands::{AnalyzeArgs, PerftArgs, analyze, perft};
pub(crate) use svg::{SvgArgs, run as svg};

/// The reason a command failed.
#[derive(Debug, Error)]
pub(crate) enum TridimError {
    #[error(transparent)]
    Position(#[from] TextError),
    #[error(transparent)]
    Castling(#[from] CastlingError),
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
