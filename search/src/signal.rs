//! One search's stop flag and ponder state, shared by the caller and the workers.
//!
//! Each search has its own, made by whoever starts it, so a `stop` right behind `go` reaches the
//! search it was meant for and no other.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Signal {
    started: Instant,
    /// The workers are to come back, whoever says so.
    halted: AtomicBool,
    /// The caller said stop: the answer may be told.
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the ponder move was played, in nanoseconds after the start; 0 without pondering.
    hit_after: AtomicU64,
    /// Guards nothing; the condition variable needs one.
    gate: Mutex<()>,
    changed: Condvar,
}

impl Signal {
    pub(crate) fn new(started: Instant, pondering: bool) -> Self {
        Self {
            started,
            halted: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            hit_after: AtomicU64::new(0),
            gate: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    #[inline]
    pub(crate) fn halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Calls the workers back: a limit is reached, or the leader is done.
    pub(crate) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Lets workers begin another part of the same search, unless the caller said stop.
    pub(crate) fn resume(&self) {
        self.halted.store(false, Ordering::SeqCst);
        if self.stop.load(Ordering::SeqCst) {
            self.halt();
        }
    }

    /// The caller wants the answer now.
    pub(crate) fn stop(&self) {
        // In this order a `resume` at the same time does not undo it.
        self.announce(|| self.stop.store(true, Ordering::SeqCst));
        self.halted.store(true, Ordering::SeqCst);
    }

    /// The opponent played the expected move: from here on our own clock runs.
    pub(crate) fn ponder_hit(&self) {
        let after = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.announce(|| {
            self.hit_after.store(after, Ordering::SeqCst);
            self.pondering.store(false, Ordering::SeqCst);
        });
    }

    fn announce(&self, change: impl FnOnce()) {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        drop(gate);
        self.changed.notify_all();
    }

    /// Time since `go`.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since our own clock runs.
    pub(crate) fn on_own_clock(&self) -> Duration {
        let hit = Duration::from_nanos(self.hit_after.load(Ordering::Relaxed));
        self.elapsed().saturating_sub(hit)
    }

    /// Waits until the result may be told: not before so much time has passed since `go`, when
    /// pondering not before a ponder hit, and when infinite never by itself. `stop` ends every
    /// waiting.
    pub(crate) fn wait_to_answer(&self, infinite: bool, not_before: Duration) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.stop.load(Ordering::SeqCst) {
            let early = not_before.saturating_sub(self.elapsed());
            gate = if infinite || self.pondering() {
                self.changed
                    .wait(gate)
                    .unwrap_or_else(PoisonError::into_inner)
            } else if early.is_zero() {
                return;
            } else {
                self.changed
                    .wait_timeout(gate, early)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
            };
        }
    }
}
