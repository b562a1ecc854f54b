//! Perft: counts the leaves of the tree of legal moves, on threads of its own.

use std::sync::atomic::AtomicBool;

use movegen::{Move, Position, Variant};
use rayon::ThreadPoolBuilder;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PerftError {
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        threads: usize,
        source: rayon::ThreadPoolBuildError,
    },
    #[error("perft was stopped")]
    Stopped,
}

/// The leaves below each root move.
#[derive(Debug)]
pub struct Perft {
    pub moves: Vec<(Move, u64)>,
    pub nodes: u64,
}

/// Counts on threads of its own until `stop` is set.
pub fn count(
    position: &Position,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Perft, PerftError> {
    let divide = || movegen::engine::divide(position, depth, stop);
    let moves = if cfg!(target_family = "wasm") {
        divide()
    } else {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|source| PerftError::Threads { threads, source })?
            .install(divide)
    }
    .ok_or(PerftError::Stopped)?;
    // At depth 0 the position itself is the only leaf.
    let nodes = match depth {
        0 => 1,
        _ => moves.iter().map(|(_, nodes)| nodes).sum(),
    };
    Ok(Perft { moves, nodes })
}

impl Perft {
    /// Returns a line for each root move, an empty line and the total, as Stockfish does.
    pub fn lines(&self, variant: Variant) -> Vec<String> {
        let moves = self.moves.iter();
        let moves = moves.map(|(mv, nodes)| format!("{}: {nodes}", mv.uci(variant)));
        let total = [String::new(), format!("Nodes searched: {}", self.nodes)];
        moves.chain(total).collect()
    }
}
