//! The work has a thread of its own.

use std::io;
use std::sync::mpsc::channel;
use std::thread::{Builder, JoinHandle};

use search::{STACK_BYTES, SearchControl};

use super::Panicked;

#[derive(Debug)]
pub(super) struct Work(JoinHandle<()>);

/// Starts a thread with a stack large enough for a search.
pub(super) fn spawn<T: Send + 'static>(
    name: &'static str,
    given: T,
    work: impl FnOnce(T) + Send + 'static,
) -> Result<Work, (io::Error, T)> {
    let (sender, receiver) = channel();
    let thread = Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            if let Ok(given) = receiver.recv() {
                work(given);
            }
        });
    match thread {
        Ok(thread) => {
            // Fails only if the thread has ended.
            let _ = sender.send(given);
            Ok(Work(thread))
        }
        Err(error) => Err((error, given)),
    }
}

pub(super) fn control() -> SearchControl {
    SearchControl::new()
}

impl Work {
    pub(super) fn wait(self) -> Result<(), Panicked> {
        self.0.join().map_err(|_| Panicked)
    }

    pub(super) fn cancel(self) -> Result<(), Panicked> {
        self.wait()
    }
}
