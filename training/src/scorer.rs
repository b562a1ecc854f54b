//! The network and the search that score positions, and their description in recipes.

use crate::data::ScoredMove;
use anyhow::{Result, anyhow};
use common::files;
use movegen::Game;
use rayon::{ThreadPool, ThreadPoolBuilder};
use search::nnue::{MAX_FILE_SIZE, Network, embedded};
use search::{Limits, STACK_BYTES, SearchControl, SearchError, SearchOptions, Searcher, bench};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The search of positions.
#[derive(Clone, Debug, clap::Args)]
pub struct SearchArgs {
    /// Soft node limit per move; the hard limit is eight times as high
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// Prune no move in nodes of this depth or less
    #[arg(long, default_value_t = 0, value_name = "DEPTH", value_parser = clap::value_parser!(i32).range(0..=20))]
    full_width_depth: i32,
    /// Network to evaluate with [default: the embedded one]
    #[arg(long, value_name = "NET")]
    net: Option<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

impl SearchArgs {
    #[cfg(test)]
    pub(crate) fn for_tests(nodes: u64) -> Self {
        Self {
            nodes,
            full_width_depth: 0,
            net: None,
            threads: 2,
        }
    }

    /// The network file that is read, if any.
    pub(crate) fn net(&self) -> Option<&PathBuf> {
        self.net.as_ref()
    }

    pub(crate) fn pool(&self) -> Result<ThreadPool> {
        ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| anyhow!("cannot start the search threads: {error}"))
    }
}

pub(crate) fn read_network(path: &Path) -> Result<Network> {
    let bytes = files::read(path, MAX_FILE_SIZE as u64)?;
    let network = Network::read(&bytes);
    network.map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// The name of a file, without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A network that scores positions, for any number of searchers.
#[derive(Clone, Debug)]
pub(crate) struct Scorer {
    network: Arc<Network>,
    full_width_depth: i32,
    /// Engine version, bench, network and search. Part of every recipe: with another text, existing
    /// game files cannot be continued.
    pub(crate) description: String,
}

impl Scorer {
    pub(crate) fn new(args: &SearchArgs) -> Result<Self> {
        let (network, name) = match &args.net {
            None => (Arc::clone(embedded()), "its own network".to_string()),
            Some(path) => {
                let network = read_network(path)?;
                (Arc::new(network), format!("network {}", file_name(path)))
            }
        };
        let signature = bench::run(bench::DEPTH, &network, &SearchControl::new(), |_| {})?.nodes;
        let version = env!("CARGO_PKG_VERSION");
        let mut description = format!("castellan {version}, bench {signature}, {name}");
        if args.full_width_depth > 0 {
            description += &format!(", no move pruned to depth {}", args.full_width_depth);
        }
        Ok(Self {
            network,
            full_width_depth: args.full_width_depth,
            description,
        })
    }

    /// The engine's own network, without the time the bench takes.
    #[cfg(test)]
    pub(crate) fn for_tests() -> Self {
        Self {
            network: Arc::clone(embedded()),
            full_width_depth: 0,
            description: "test".to_owned(),
        }
    }

    /// A searcher with an empty table and empty histories.
    pub(crate) fn searcher(&self) -> Result<NodeSearcher, SearchError> {
        // Small enough to stay in the core's cache.
        const HASH_MEGABYTES: usize = 1;
        let searcher = Searcher::with_network(HASH_MEGABYTES, Arc::clone(&self.network))?;
        Ok(NodeSearcher {
            searcher,
            full_width_depth: self.full_width_depth,
            nodes: 0,
        })
    }
}

/// Searches to a soft node limit, after which no iteration starts; the hard limit is eight times as
/// high.
pub(crate) struct NodeSearcher {
    searcher: Searcher,
    full_width_depth: i32,
    /// The nodes of all searches so far.
    pub(crate) nodes: u64,
}

impl NodeSearcher {
    /// Clears table and histories.
    pub(crate) fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// The best move with its score; `None` without legal moves.
    pub(crate) fn search(&mut self, game: &Game, soft_nodes: u64) -> Option<ScoredMove> {
        const HARD_PER_SOFT: u64 = 8;
        let limits = Limits {
            soft_nodes: Some(soft_nodes),
            nodes: Some(soft_nodes.saturating_mul(HARD_PER_SOFT)),
            ..Limits::default()
        };
        let options = SearchOptions {
            full_width_depth: self.full_width_depth,
            ..SearchOptions::new(limits)
        };
        let result = self
            .searcher
            .search(game, &options, &SearchControl::new(), &mut ());
        self.nodes += result.nodes;
        let side = game.position().side_to_move();
        Some(ScoredMove::of(
            side,
            result.best_move?,
            result.score.raw() as i16,
        ))
    }
}
