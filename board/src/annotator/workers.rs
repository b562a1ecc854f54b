//! The threads that annotate games while the server runs.

use std::thread::{self, Builder};

use search::{STACK_BYTES, SearchControl};

use super::{Annotator, PAUSE, State, UNEXPECTED};

impl Annotator {
    /// Starts a worker for each core. They end with the program.
    pub(crate) fn start_workers(&self) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..cores {
            let annotator = self.clone();
            let thread = Builder::new()
                .name("annotator".to_owned())
                .stack_size(STACK_BYTES);
            // With none, the sessions do the work.
            if thread.spawn(move || annotator.work()).is_ok() {
                self.lock().workers += 1;
            }
        }
        let annotator = self.clone();
        // Without it only this program's own changes are seen.
        let watch = move || {
            loop {
                annotator.wait_while(State::is_idle);
                annotator.check();
                thread::sleep(PAUSE);
            }
        };
        let _ = Builder::new().name("annotator".to_owned()).spawn(watch);
        // If the profile cannot be read, that is reported when it is to be changed.
        let _ = self.resume();
    }

    fn work(&self) {
        /// Tells the pages of a failure that ends a worker.
        struct Failing<'a>(&'a Annotator);
        impl Drop for Failing<'_> {
            fn drop(&mut self) {
                self.0.fail(UNEXPECTED);
            }
        }
        let _failing = Failing(self);
        loop {
            self.wait_while(|state| {
                !state.has_next() || state.running() + state.busy >= state.workers
            });
            self.annotate_next(&SearchControl::new());
        }
    }

    fn wait_while(&self, mut condition: impl FnMut(&State) -> bool) {
        let waited = self
            .0
            .changed
            .wait_while(self.lock(), |state| condition(state));
        drop(waited);
    }
}
