//! The threads that annotate games while the server runs.

use std::thread::{self, Builder};

use search::{STACK_BYTES, SearchControl};

use super::{Annotator, PAUSE, State, UNEXPECTED};

impl State {
    /// The number of games that are worked on.
    fn running(&self) -> usize {
        let running = self.started.iter().filter(|one| one.game.is_none());
        running.count()
    }
}

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
            // If the profile cannot be read, that is reported when it is to be changed.
            let _ = annotator.resume();
            loop {
                annotator.wait_while(State::is_idle);
                annotator.check();
                thread::sleep(PAUSE);
            }
        };
        let _ = Builder::new().name("annotator".to_owned()).spawn(watch);
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

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use game::library::{Entry, GameKind, Library};
    use service::{Engine, OptionTable};
    use test_common::TempDir;

    use super::{Annotator, State};

    fn wait_until(annotator: &Annotator, is_true: impl Fn(&State) -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !is_true(&annotator.lock()) {
            assert!(Instant::now() < end, "{:?}", annotator.view());
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn workers_make_way_for_searches() {
        let folder = TempDir::new("annotator workers");
        let library = Library::at(folder.directory().to_owned());
        let mut entry = Entry::default();
        let kept = library.keep(&mut entry, GameKind::Chess, "1. e4 e5 2. Nf3 Nc6 1-0");
        kept.expect("written");
        let engine = Engine::new(OptionTable::default());
        let annotator = Annotator::new(library, engine.builder());
        annotator.start_workers();
        // It would take hours.
        let added = annotator.add(&[entry.id], 1_000_000_000, engine.builder());
        added.expect("a profile");
        wait_until(&annotator, |state| state.running() == 1);
        let precedence = annotator.give_way(1024);
        wait_until(&annotator, |state| state.running() == 0);
        assert!(annotator.lock().has_next());
        drop(precedence);
        wait_until(&annotator, |state| state.running() == 1);
        annotator.cancel().expect("a profile");
        wait_until(&annotator, State::is_idle);
    }
}
