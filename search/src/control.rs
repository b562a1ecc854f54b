//! The stop flag and ponder state of a search, shared by it and the caller's other threads.

use crate::limits::SearchOptions;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
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
    poll: Option<Poll>,
}

/// Handles the input that has arrived, after waiting for it up to this long. It may change the
/// control that called it.
pub type Poll = fn(Duration);

impl SearchControl {
    pub fn new() -> Self {
        Self::default()
    }

    /// For a program without threads: the search calls `poll` from time to time, so that input is
    /// handled while it runs.
    pub fn polled(poll: Poll) -> Self {
        Self(Arc::new(State {
            poll: Some(poll),
            ..State::default()
        }))
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

    /// Also polls, where a search is to be polled.
    pub fn is_stopped(&self) -> bool {
        self.poll(Duration::ZERO);
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// The flag behind `is_stopped`, read-only, for code that takes a plain flag.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stopped
    }

    fn poll(&self, longest: Duration) {
        if let Some(poll) = self.0.poll {
            poll(longest);
        }
    }

    fn change(&self, change: impl FnOnce(&State)) {
        let gate = self.gate();
        change(&self.0);
        drop(gate);
        self.0.changed.notify_all();
    }

    pub(crate) fn is_pondering(&self, options: &SearchOptions) -> bool {
        options.limits.ponder && self.0.ponder_hit.get().is_none()
    }

    /// The time on the engine's own clock: since the start, or since the ponder hit.
    pub(crate) fn time_on_own_clock(&self, options: &SearchOptions) -> Duration {
        let from = self.0.ponder_hit.get().unwrap_or(&options.started);
        from.elapsed()
    }

    /// Waits until the search may return its result; a stop ends every wait.
    pub(crate) fn wait_to_answer(&self, options: &SearchOptions) {
        if self.0.poll.is_some() {
            while !self.is_stopped()
                && let Some(longest) = self.time_to_wait(options)
            {
                self.poll(longest);
            }
            return;
        }
        let mut gate = self.gate();
        while !self.is_stopped()
            && let Some(longest) = self.time_to_wait(options)
        {
            let woken = self.0.changed.wait_timeout(gate, longest);
            gate = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The result is held back until `not_before`, until the ponder hit when pondering, and until
    /// the stop when infinite.
    fn time_to_wait(&self, options: &SearchOptions) -> Option<Duration> {
        if options.limits.infinite || self.is_pondering(options) {
            return Some(Duration::MAX);
        }
        let early = options.not_before.saturating_sub(options.started.elapsed());
        (!early.is_zero()).then_some(early)
    }

    fn gate(&self) -> MutexGuard<'_, ()> {
        let gate = self.0.gate.lock();
        gate.unwrap_or_else(PoisonError::into_inner)
    }
}
