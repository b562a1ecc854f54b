//! Loads a network from a file, as the option EvalFile names it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::files::{self, FileError};
use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, embedded};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum EvalFileError {
    #[error("cannot use EvalFile: {0}")]
    File(#[from] FileError),

    #[error("cannot use EvalFile '{}': {source}", path.display())]
    Network { path: PathBuf, source: NetworkError },
}

/// Returns the network in a file, or the built-in one without a path.
pub(crate) fn load(path: Option<&Path>) -> Result<Arc<Network>, EvalFileError> {
    let Some(path) = path else {
        return Ok(Arc::clone(embedded()));
    };
    let bytes = files::read(path, MAX_FILE_SIZE as u64)?;
    let network = Network::read(&bytes).map_err(|source| EvalFileError::Network {
        path: path.to_owned(),
        source,
    });
    network.map(Arc::new)
}
