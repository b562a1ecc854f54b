//! The bench: a fixed piece of work whose node count is the signature of how the search behaves.
//!
//! Every position is searched to the same depth, alone on one thread, by an engine that has
//! forgotten the one before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use movegen::{FenError, Game, Move, Position, Variant};
use search::bench::{self, POSITIONS};
use search::net::Network;
use search::{Best, Info, Limits, Manner, Report, Search, SearchError};
use thiserror::Error;

/// How often a running search is asked whether to stop it.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Why there is no number.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    #[error("position {number} of the bench cannot be read: {source}")]
    Position { number: usize, source: FenError },
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the search ended without an answer in position {number} of the bench")]
    NoAnswer { number: usize },
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
        let here = nodes_of(&mut search, &Game::new(position), depth, stop)?
            .ok_or(BenchError::NoAnswer { number })?;
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

/// `None` when the search never answered.
fn nodes_of(
    search: &mut Search,
    game: &Game,
    depth: u32,
    stop: &AtomicBool,
) -> Result<Option<u64>, SearchError> {
    let (sender, receiver) = channel();
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let manner = Manner {
        multi_pv: 1,
        move_overhead: Duration::ZERO,
        started: Instant::now(),
    };
    let counter = Counter { nodes: 0, sender };
    search.go(game, limits, manner, Box::new(counter))?;
    let nodes = loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(nodes) => break Some(nodes),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => search.stop(),
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    search.wait();
    Ok(nodes)
}

/// Listens only for the number of nodes, and tells it at the end.
struct Counter {
    nodes: u64,
    sender: Sender<u64>,
}

impl Report for Counter {
    fn info(&mut self, info: &Info) {
        self.nodes = info.nodes;
    }

    fn current_move(&mut self, _: u32, _: Move, _: usize) {}

    fn best(&mut self, _: Best) {
        // Nobody listens any more only when the bench itself has ended.
        let _ = self.sender.send(self.nodes);
    }
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
