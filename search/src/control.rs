//! One search's stop flag and ponder state, shared by the search and the caller's other threads.

use crate::limits::SearchOptions;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Ends a running search, or tells it that the ponder move was played. Clones share their state.
///
/// Create a new one for every search, before it starts: a stop sent right after `go` is then
/// neither lost nor applied to a later search.
#[derive(Clone, Debug, Default)]
pub struct SearchControl(Arc<State>);

#[derive(Debug, Default)]
struct State {
    stopped: AtomicBool,
    ponder_hit: OnceLock<Instant>,
    /// Guards no data; the condition variable needs one.
    gate: Mutex<()>,
    changed: Condvar,
}

impl SearchControl {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search, which still returns its best move.
    pub fn stop(&self) {
        self.change(|state| state.stopped.store(true, Ordering::Relaxed));
    }

    /// The opponent played the move pondered on: from now on the engine's own clock runs.
    pub fn ponder_hit(&self) {
        self.change(|state| {
            // Only the first one counts.
            let _ = state.ponder_hit.set(Instant::now());
        });
    }

    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// The flag behind `is_stopped`, read-only, for code that takes a plain flag.
    #[must_use]
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stopped
    }

    fn change(&self, change: impl FnOnce(&State)) {
        let gate = self.0.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change(&self.0);
        drop(gate);
        self.0.changed.notify_all();
    }

    pub(crate) fn is_pondering(&self, options: &SearchOptions) -> bool {
        options.limits.ponder && self.0.ponder_hit.get().is_none()
    }

    /// How long the engine's own clock has run: since the start, or since the ponder hit.
    pub(crate) fn time_on_own_clock(&self, options: &SearchOptions) -> Duration {
        let from = self.0.ponder_hit.get().unwrap_or(&options.started);
        from.elapsed()
    }

    /// Waits until the search may return its result: until `not_before`, until the ponder hit when
    /// pondering, and until it is stopped when infinite. A stop ends every wait.
    pub(crate) fn wait_to_answer(&self, options: &SearchOptions) {
        let state = &*self.0;
        let mut gate = state.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() {
            let early = options.not_before.saturating_sub(options.started.elapsed());
            gate = if options.limits.infinite || self.is_pondering(options) {
                let woken = state.changed.wait(gate);
                woken.unwrap_or_else(PoisonError::into_inner)
            } else if early.is_zero() {
                return;
            } else {
                let woken = state.changed.wait_timeout(gate, early);
                woken.unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}
