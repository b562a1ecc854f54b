//! Searchers: what they are made of, and the one of an engine.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use search::nnue::Network;
use search::{SearchError, Searcher, Tablebases};

/// The parts of a searcher.
#[derive(Debug, Clone)]
pub struct SearcherBuilder {
    /// In MiB.
    pub hash: usize,
    pub threads: usize,
    pub(crate) network: Arc<Network>,
    pub(crate) tablebases: Arc<Tablebases>,
}

impl SearcherBuilder {
    pub fn build(&self) -> Result<Searcher, SearchError> {
        let mut searcher = Searcher::with_network(self.hash, Arc::clone(&self.network))?;
        searcher.set_threads(self.threads)?;
        searcher.set_tablebases(Arc::clone(&self.tablebases));
        Ok(searcher)
    }
}

/// The searcher of an engine, created for its first search and locked while one runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedSearcher(Arc<Mutex<Slot>>);

#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) searcher: Option<Searcher>,
    /// The hash table is that of limited strength: full strength must not help it.
    pub(crate) limited: bool,
}

impl SharedSearcher {
    /// A panic in a search does not poison the next one.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    pub(crate) fn get_or_build(
        &mut self,
        builder: &SearcherBuilder,
    ) -> Result<&mut Searcher, SearchError> {
        match &mut self.searcher {
            Some(searcher) => Ok(searcher),
            none => Ok(none.insert(builder.build()?)),
        }
    }
}
