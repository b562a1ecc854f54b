//! Looking for the best move: alpha-beta, ordering, evaluation, time, threads.
//!
//! Never prints and never reads: a caller brings a game and limits, and a `Report` that is
//! told what is found.

mod limits;
pub mod params;
mod report;
mod score;
mod signal;
pub mod tt;

pub use limits::{Limits, PlayerClock};
pub use report::{Best, Info, Report};
pub use score::{Bound, MAX_PLY, Score};
pub use tt::TableError;

use movegen::Game;
use signal::Signal;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a setting could not be made; the one before it stands.
#[derive(Debug, Error)]
pub enum SearchError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{wanted} search threads could not be started: {reason}")]
    Threads { wanted: usize, reason: String },
}

/// What a search is asked besides its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// How many lines are wanted.
    pub multi_pv: usize,
    /// Time lost on the way with every move.
    pub move_overhead: Duration,
    /// When the request was read; clocks run from here.
    pub started: Instant,
}

/// The engine behind the talking: owns table, histories and threads.
#[derive(Debug)]
pub struct Search {
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    signal: Arc<Signal>,
    coordinator: JoinHandle<()>,
}

impl Search {
    /// With a table of so many megabytes and one thread, neither used yet.
    pub fn new(hash_megabytes: usize) -> Result<Self, SearchError> {
        let _ = hash_megabytes;
        Ok(Self { running: None })
    }

    /// A table of another size, empty. Waits for a running search to end; the caller stops it.
    pub fn set_hash(&mut self, _megabytes: usize) -> Result<(), SearchError> {
        Ok(())
    }

    /// So many threads, knowing nothing of earlier games.
    pub fn set_threads(&mut self, _count: usize) -> Result<(), SearchError> {
        Ok(())
    }

    /// Forgets everything learnt: table and histories.
    pub fn new_game(&mut self) {}

    /// Empties the table only.
    pub fn clear_hash(&mut self) {}

    /// Starts searching a game's present position and returns at once.
    pub fn go(&mut self, game: &Game, limits: Limits, manner: Manner, mut report: Box<dyn Report>) {
        self.wait();
        let signal = Arc::new(Signal::new(manner.started, limits.ponder));
        let best = game.position().legal_moves().first().copied();
        let infinite = limits.infinite;
        let shared = Arc::clone(&signal);
        let coordinator = std::thread::spawn(move || {
            shared.wait_to_answer(infinite);
            report.best(Best { best, ponder: None });
        });
        self.running = Some(Running {
            signal,
            coordinator,
        });
    }

    /// Ends the running search, if there is one; its best move is still reported.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.signal.stop();
        }
    }

    /// The opponent played the move pondered on.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.signal.ponder_hit();
        }
    }

    /// A search is running (it may just be about to report).
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| !running.coordinator.is_finished())
    }

    /// Waits for the running search to have reported its best move.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            let _ = running.coordinator.join();
        }
    }
}
