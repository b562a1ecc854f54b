//! The bench: a fixed piece of work whose node count is the signature of how the search behaves.
//!
//! Every position is searched to the same depth, alone on one thread, by an engine that has
//! forgotten the one before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use movegen::{FenError, Game, Position, Variant};
use search::bench::{self, POSITIONS};
use search::net::Network;
use search::{Limits, Search, SearchError};
use thiserror::Error;

use crate::ask::{AskError, ask};

/// Why there is no number.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    #[error("position {number} of the bench cannot be read: {source}")]
    Position { number: usize, source: FenError },
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("position {number} of the bench: {source}")]
    Ask { number: usize, source: AskError },
    #[error("the bench was stopped before its end")]
    Stopped,
}

/// Does the work and says how it goes; the last two lines are the nodes and the nodes a second.
pub(crate) fn run(
    depth: Option<u32>,
    network: Arc<Network>,
    stop: &AtomicBool,
    mut say: impl FnMut(String),
) -> Result<(), BenchError> {
    let depth = depth.unwrap_or(bench::DEPTH);
    let mut search = Search::new(bench::HASH_MEGABYTES)?;
    search.set_network(network)?;
    let mut searching = Duration::ZERO;
    let mut nodes = 0;
    for (fen, number) in POSITIONS.iter().zip(1..) {
        let position = Position::from_fen(fen, Variant::Chess960)
            .map_err(|source| BenchError::Position { number, source })?;
        search.new_game()?;
        let started = Instant::now();
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let here = ask(&mut search, &Game::new(position), limits, 1, stop)
            .map_err(|source| BenchError::Ask { number, source })?
            .nodes();
        searching += started.elapsed();
        if stop.load(Ordering::Relaxed) {
            return Err(BenchError::Stopped);
        }
        nodes += here;
        let count = POSITIONS.len();
        say(format!(
            "info string bench {number}/{count}: {here} nodes, {fen}"
        ));
    }
    let nanoseconds = searching.as_nanos().max(1);
    let rate = u128::from(nodes) * 1_000_000_000 / nanoseconds;
    say(format!("{nodes} nodes"));
    say(format!("{rate} nps"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use movegen::{Position, Variant};

    use search::bench::POSITIONS;

    #[test]
    fn every_position_is_legal_has_moves_and_stands_there_once() {
        let mut seen = HashSet::new();
        for fen in POSITIONS {
            let position = Position::from_fen(fen, Variant::Chess960).expect(fen);
            assert!(position.has_moves(), "{fen}");
            assert!(seen.insert(position.key()), "{fen} is there twice");
        }
    }
}
