//! The display of a terminal during the review of a game.

use std::sync::atomic::{AtomicUsize, Ordering};

use search::SearchControl;

use crate::terminal::Work;

#[derive(Debug)]
pub(super) struct ReviewStatus {
    pub(super) stop: SearchControl,
    done: AtomicUsize,
    total: usize,
}

impl ReviewStatus {
    pub(super) fn new(total: usize) -> ReviewStatus {
        ReviewStatus {
            stop: SearchControl::new(),
            done: AtomicUsize::new(0),
            total,
        }
    }

    /// One more position is evaluated.
    pub(super) fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Work for ReviewStatus {
    fn status(&self) -> String {
        let done = self.done.load(Ordering::Relaxed);
        format!("reviewing  {done} of {} positions", self.total)
    }

    fn stop(&self) {
        self.stop.stop();
    }
}
