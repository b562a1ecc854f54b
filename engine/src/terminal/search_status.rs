//! The display of a terminal while the engine searches: depth, score, time and the expected line.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::play::shown_clock;
use search::SearchControl;

use super::Work;

/// One search.
#[derive(Debug)]
pub(crate) struct SearchStatus {
    pub(crate) stop: SearchControl,
    /// True if a person sees the iterations: not those in which the engine looks for its own move.
    pub(crate) shows_iterations: bool,
    started: Instant,
    /// The time for the search or left on the clock, if limited.
    time: Option<Duration>,
    latest: Mutex<Option<Iteration>>,
}

/// The result of an iteration.
#[derive(Debug)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    /// For White.
    pub(crate) score: String,
    pub(crate) line: String,
}

impl SearchStatus {
    pub(crate) fn new(time: Option<Duration>, shows_iterations: bool) -> SearchStatus {
        SearchStatus {
            stop: SearchControl::new(),
            shows_iterations,
            started: Instant::now(),
            time,
            latest: Mutex::new(None),
        }
    }

    pub(crate) fn report(&self, iteration: Iteration) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(iteration);
    }
}

impl Work for SearchStatus {
    fn status(&self) -> String {
        let elapsed = self.started.elapsed();
        let time = match self.time {
            Some(time) => format!("{} left", shown_clock(time.saturating_sub(elapsed))),
            None => shown_clock(elapsed),
        };
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(Iteration { depth, score, line }) => {
                format!("depth {depth}  {score}  {time}  {line}")
            }
            None => format!("thinking  {time}"),
        }
    }

    fn stop(&self) {
        self.stop.stop();
    }
}
