//! Without threads: the program begins the work when it has handled its input, and the work polls
//! for more.

use std::cell::{Cell, RefCell};
use std::io;
use std::thread;
use std::time::Duration;

use search::SearchControl;

use super::Panicked;

thread_local! {
    /// The work that has not begun.
    static PENDING: Cell<Option<Box<dyn FnOnce()>>> = const { Cell::new(None) };
    static POLL: RefCell<Box<dyn Fn(Duration)>> = RefCell::new(Box::new(thread::sleep));
}

/// Sets what handles input during the work, after waiting for it up to some time.
pub fn set_poll(poll: impl Fn(Duration) + 'static) {
    POLL.set(Box::new(poll));
}

/// Does the work that was started, if there is any, and returns whether there was.
pub fn run_pending() -> bool {
    let work = PENDING.take();
    let is_some = work.is_some();
    if let Some(work) = work {
        work();
    }
    is_some
}

#[derive(Debug)]
pub(super) struct Work;

/// Never fails.
pub(super) fn spawn<T: Send + 'static>(
    _name: &'static str,
    given: T,
    work: impl FnOnce(T) + Send + 'static,
) -> Result<Work, (io::Error, T)> {
    PENDING.set(Some(Box::new(move || work(given))));
    Ok(Work)
}

pub(super) fn control() -> SearchControl {
    SearchControl::polled(|longest| POLL.with_borrow(|poll| poll(longest)))
}

impl Work {
    pub(super) fn wait(self) -> Result<(), Panicked> {
        run_pending();
        Ok(())
    }

    pub(super) fn cancel(self) -> Result<(), Panicked> {
        PENDING.take();
        Ok(())
    }
}
