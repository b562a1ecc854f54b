//! Loads a network from a file, as the option EvalFile names it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::files::{self, FileError};
use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, embedded};
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum EvalFileError {
    #[error("cannot use EvalFile: {0}; the network is unchanged")]
    File(#[from] FileError),

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
    let bytes = files::read(path, MAX_FILE_SIZE as u64)?;
    Network::read(&bytes).map_err(|source| EvalFileError::Network {
        path: path.to_owned(),
        source,
    })
}
