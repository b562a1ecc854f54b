//! `setoption`: what has to be done when an option has got a new value.

use std::io::Write;
use std::sync::Arc;

use search::Tablebases;

use super::task::Deferred;
use super::{Session, SessionError};
use crate::eval_file;
use crate::seed::GameSeed;
use crate::uci::options::{Assignment, Config, Effect};

impl<W: Write + Send + 'static> Session<W> {
    /// Sets an option, if necessary after the end of a running search.
    pub(super) fn set_option(&mut self, assignment: Assignment) -> Result<(), SessionError> {
        if assignment.effect.needs_idle_search() {
            self.execute_when_idle(Deferred::SetOption(assignment))
        } else {
            self.apply(&assignment)
        }
    }

    /// Changes nothing if it fails.
    pub(super) fn apply(&mut self, assignment: &Assignment) -> Result<(), SessionError> {
        let mut config = self.config.clone();
        assignment.apply(&mut config);
        match assignment.effect {
            Effect::Nothing => {}
            Effect::ResizeHash => self.searcher().set_hash(config.hash)?,
            Effect::ClearHash => self.searcher().clear_hash(),
            Effect::StartThreads => self.searcher().set_threads(config.threads)?,
            Effect::LoadNetwork => {
                self.network = eval_file::network(config.eval_file.as_deref())?;
                self.searcher().set_network(Arc::clone(&self.network));
            }
            Effect::LoadTablebases => self.load_tablebases(&config),
            Effect::OpenBook => self.book.open(config.book_file.as_deref())?,
            Effect::SeedBook => self.book.set_seed(config.book_seed),
            Effect::SeedStrength => self.strength_seed = GameSeed::new(config.strength_seed),
            Effect::OpenDebugLog => self.printer.log_to(config.debug_log_file.as_deref())?,
            #[cfg(feature = "tune")]
            Effect::Tune => {}
        }
        self.config = config;
        Ok(())
    }

    /// Reports missing directories and broken files, and uses the rest.
    fn load_tablebases(&mut self, config: &Config) {
        let (tablebases, errors) = Tablebases::find(&config.syzygy_path);
        for error in errors {
            self.printer.error(error);
        }
        let count = tablebases.count();
        self.searcher().set_tablebases(tablebases);
        if !config.syzygy_path.is_empty() {
            self.printer.line(format_args!("info string {count}"));
        }
    }
}
