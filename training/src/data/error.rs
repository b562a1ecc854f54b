//! What can be wrong with files of games.

use super::chunk::ChunkError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum DataError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} is no file of games: it does not begin with \"{}\"", path.display(), super::file::MAGIC.escape_ascii())]
    Magic { path: PathBuf },
    #[error("{} is of version {found}; this program reads version {}", path.display(), super::file::VERSION)]
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
