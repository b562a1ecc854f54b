//! Games of self-play as they are kept: their format, files of them, and the positions drawn
//! from them. docs/training.md describes the format.

mod chunk;
mod dataset;
mod file;
mod game;
#[cfg(test)]
mod tests;

pub use chunk::{ChunkError, MOST_PLIES};
pub use dataset::{Example, Filter, GameResult, Loaded, Man, examples, load};
pub use file::{Appender, Chunk, Chunks};
pub(crate) use file::{Journal, Left};
pub use game::{Ending, Game, GameError, Ply, StartError};

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum DataError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is no file of games: it does not begin with \"{}\"", path.display(), file::MAGIC.escape_ascii())]
    Magic { path: PathBuf },
    #[error("{} is of version {found}; this program reads version {}", path.display(), file::VERSION)]
    Version { path: PathBuf, found: u32 },
    #[error("{}, chunk {chunk} at byte {offset}: {source}", path.display())]
    Chunk {
        path: PathBuf,
        chunk: usize,
        offset: u64,
        source: ChunkError,
    },
    #[error("no position passes the filters in {files} files with {games} games")]
    Empty { files: usize, games: usize },
    #[error("{} is both read and written", path.display())]
    SameFile { path: PathBuf },
}

impl DataError {
    /// Wraps an error of the system with the path it happened at.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        move |source| Self::Io {
            path: path.to_path_buf(),
            source,
        }
    }
}
