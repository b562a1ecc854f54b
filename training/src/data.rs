//! The training data: the game file format (described in docs/training.md) and the dataset made
//! from it.

mod blend;
mod chunk;
mod dataset;
mod file;
mod game;
#[cfg(test)]
pub(crate) mod tests;

pub use blend::Blend;
pub(crate) use blend::sigmoid;
pub use chunk::{ChunkError, MAX_PLIES};
pub use dataset::{Dataset, Example, PositionFilter, Split, load};
pub(crate) use dataset::{chunks, par_chunks};
pub(crate) use file::GamesJournal;
pub use file::{Chunk, ChunkReader, ChunkWriter};
pub use game::{GameError, GameRecord, GameResult, ScoredMove, Termination};

use common::files::FileError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum DataError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a game file: expected it to start with '{}'", path.display(), file::MAGIC.escape_ascii())]
    Magic { path: PathBuf },
    #[error("{}: unsupported version {found}; expected {}", path.display(), file::VERSION)]
    Version { path: PathBuf, found: u32 },
    #[error("{}: chunk {chunk} at byte {offset}: {source}", path.display())]
    Chunk {
        path: PathBuf,
        chunk: usize,
        offset: u64,
        source: ChunkError,
    },
    #[error("{}: cannot compress games: {source}", path.display())]
    Pack { path: PathBuf, source: io::Error },
    #[error(
        "none of the positions in these files passes the filter (files: {files}, games: {games})"
    )]
    Empty { files: usize, games: usize },
    #[error("cannot write to standard output: {0}")]
    Output(#[source] io::Error),
}
