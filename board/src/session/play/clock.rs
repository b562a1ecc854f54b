//! The time that the side to move has used for its move.

use std::time::{Duration, Instant};

#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    used: Duration,
    /// Since when it runs; `None` while it is stopped.
    since: Option<Instant>,
}

impl Stopwatch {
    /// Back to zero, stopped.
    pub(super) fn reset(&mut self) {
        *self = Stopwatch::default();
    }

    pub(super) fn pause(&mut self) {
        self.used = self.used();
        self.since = None;
    }

    pub(super) fn resume(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    pub(super) fn used(&self) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.used.saturating_add(running)
    }
}
