//! Work in the background: on a thread of its own, or, in WebAssembly, on the only one, where the
//! work polls for input.

#[cfg_attr(target_family = "wasm", path = "background/polled.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "background/threads.rs")]
mod system;

use std::io;

use search::SearchControl;
use thiserror::Error;

#[cfg(target_family = "wasm")]
pub use system::{run_pending, set_poll};

/// A search or other work that runs.
#[derive(Debug)]
pub struct Task {
    control: SearchControl,
    work: system::Work,
}

#[derive(Debug, Error)]
#[error("cannot start a thread for {name}: {source}")]
pub struct TaskError {
    name: &'static str,
    source: io::Error,
}

/// The work has panicked.
#[derive(Debug, Error)]
#[error("stopped by an internal error")]
pub struct Panicked;

impl Task {
    /// Starts work that ends early when its control says so. If there is no thread for it, the
    /// error comes with what the work was given.
    pub fn start<T: Send + 'static>(
        name: &'static str,
        given: T,
        work: impl FnOnce(T, &SearchControl) + Send + 'static,
    ) -> Result<Self, (TaskError, T)> {
        let control = system::control();
        let work = system::spawn(name, given, {
            let control = control.clone();
            move |given| work(given, &control)
        });
        match work {
            Ok(work) => Ok(Self { control, work }),
            Err((source, given)) => Err((TaskError { name, source }, given)),
        }
    }

    /// Tells the work to end now; a search still has a result.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// The opponent has played the move that a search ponders on.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// Waits until the work ends by itself.
    pub fn wait(self) -> Result<(), Panicked> {
        self.work.wait()
    }

    /// Stops the work, whose result is not needed, and waits for its end. In WebAssembly work that
    /// runs ends later, when it has been polled.
    pub fn cancel(self) -> Result<(), Panicked> {
        self.stop();
        self.work.cancel()
    }
}
