//! Reading a network from the file that the option EvalFile names.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, embedded};
use thiserror::Error;

/// Why a file gives no network. Positions are valued as before.
#[derive(Debug, Error)]
pub(crate) enum EvalFileError {
    #[error("cannot read '{}' as EvalFile: {source}; the evaluation stays as it was", path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error("EvalFile '{}' is no file; the evaluation stays as it was", path.display())]
    NoFile { path: PathBuf },

    #[error("cannot use EvalFile '{}': {source}; the evaluation stays as it was", path.display())]
    Network { path: PathBuf, source: NetworkError },
}

/// The network in a file, or the program's own where none is named.
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
    // A pipe might never end, and need not begin.
    if !fs::metadata(path()).map_err(unreadable)?.is_file() {
        return Err(EvalFileError::NoFile { path: path() });
    }
    // One byte more than any network has is enough to be told that it is too long.
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
