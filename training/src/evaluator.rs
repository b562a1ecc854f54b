//! What values the positions that a run searches, and the words it is known by in the files.

use search::nnue::{Network, NetworkError, embedded};
use search::{SearchError, Searcher, bench};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct JudgeArgs {
    /// Network that values positions; default: what the engine plays with
    #[arg(long, value_name = "NET")]
    net: Option<PathBuf>,
}

#[derive(Debug, Error)]
pub enum JudgeError {
    #[error("the network {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("the network {}: {source}", path.display())]
    Network { path: PathBuf, source: NetworkError },
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// An evaluation, ready for any number of searchers.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    network: Arc<Network>,
    /// Engine, bench and evaluation: what made the values of a file.
    pub(crate) words: String,
}

/// A table small enough to stay near the core.
const HASH_MEGABYTES: usize = 1;

impl Judge {
    pub(crate) fn new(args: &JudgeArgs) -> Result<Self, JudgeError> {
        let network = match &args.net {
            None => Arc::clone(embedded()),
            Some(path) => {
                let path = || path.clone();
                let bytes = fs::read(path()).map_err(|source| JudgeError::File {
                    path: path(),
                    source,
                })?;
                let network = Network::read(&bytes).map_err(|source| JudgeError::Network {
                    path: path(),
                    source,
                })?;
                Arc::new(network)
            }
        };
        let evaluation = match &args.net {
            None => "its own network".to_string(),
            Some(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                format!("network {}", name.display())
            }
        };
        let signature = bench::signature(&network)?;
        let version = env!("CARGO_PKG_VERSION");
        Ok(Self {
            network,
            words: format!("castellan {version}, bench {signature}, {evaluation}"),
        })
    }

    /// A searcher that knows nothing yet.
    pub(crate) fn searcher(&self) -> Result<Searcher, SearchError> {
        let mut searcher = Searcher::new(HASH_MEGABYTES)?;
        searcher.set_network(Arc::clone(&self.network));
        Ok(searcher)
    }
}
