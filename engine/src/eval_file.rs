//! Loads a network from a file, as the option EvalFile names it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, embedded};
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum EvalFileError {
    #[error("cannot read EvalFile '{}': {source}; the network is unchanged", path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error("EvalFile '{}' is not a regular file; the network is unchanged", path.display())]
    NoFile { path: PathBuf },

    #[error("cannot use EvalFile '{}': {source}; the network is unchanged", path.display())]
    Network { path: PathBuf, source: NetworkError },
}

/// Returns the network in a file, or the built-in one without a path.
pub(crate) fn network(path: Option<&Path>) -> Result<Arc<Network>, EvalFileError> {
    match path {
        Some(path) => read(path).map(Arc::new),
        None => Ok(Arc::clone(embedded())),
    }
}

fn read(path: &Path) -> Result<Network, EvalFileError> {
    let path = || path.to_owned();
    let unreadable = |source| EvalFileError::Read {
        path: path(),
        source,
    };
    // A named pipe might block or never end.
    if !fs::metadata(path()).map_err(unreadable)?.is_file() {
        return Err(EvalFileError::NoFile { path: path() });
    }
    // One byte more than the limit is enough for the error that the file is too long.
    let most = u64::try_from(MAX_FILE_SIZE).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(path())
        .and_then(|file| file.take(most.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    Network::read(&bytes).map_err(|source| EvalFileError::Network {
        path: path(),
        source,
    })
}
