//! The workers' memories and the threads they run on.
//!
//! Between searches the crew is owned by the facade; during one by the coordinator thread,
//! which gives it back when the search is over. So no lock in here is ever waited for.

use crate::deepen::{self, Found};
use crate::nnue::Network;
use crate::report::{Best, Info, Report};
use crate::shared::Shared;
use crate::vote;
use crate::worker::{Memory, Worker};
use movegen::Game;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// Why the threads could not be had.
#[derive(Debug, Error)]
#[error("{wanted} search threads could not be started: {reason}")]
pub struct ThreadError {
    wanted: usize,
    reason: rayon::ThreadPoolBuildError,
}

/// Deep searches recurse with positions and move lists on the stack.
const STACK_BYTES: usize = 16 << 20;

#[derive(Debug)]
pub(crate) struct Crew {
    threads: ThreadPool,
    /// One for each thread, out while it searches.
    memories: Vec<Mutex<Memory>>,
}

/// However a worker ends, by a panic too, the others are told to stop: rayon waits for all.
struct StopOnDrop<'a>(&'a Shared);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.signal.halt();
    }
}

impl Crew {
    pub(crate) fn hire(count: usize, network: &Arc<Network>) -> Result<Self, ThreadError> {
        let threads = ThreadPoolBuilder::new()
            .num_threads(count)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search {index}"))
            .build()
            .map_err(|reason| ThreadError {
                wanted: count,
                reason,
            })?;
        let memories = threads.broadcast(|_| Mutex::new(Memory::new(network)));
        Ok(Self { threads, memories })
    }

    pub(crate) fn len(&self) -> usize {
        self.memories.len()
    }

    /// Forgets what earlier games taught.
    pub(crate) fn forget(&mut self) {
        self.with_memories(Memory::forget);
    }

    /// Positions are valued by this network from now on.
    pub(crate) fn set_network(&mut self, network: &Arc<Network>) {
        self.with_memories(|memory| memory.set_network(network));
    }

    /// Every memory on its own thread, whose caches it will be used from.
    fn with_memories(&mut self, action: impl Fn(&mut Memory) + Sync) {
        let memories = &self.memories;
        self.threads.broadcast(|context| {
            if let Some(memory) = memories.get(context.index()) {
                action(&mut memory.lock().unwrap_or_else(PoisonError::into_inner));
            }
        });
    }

    /// Runs something that uses rayon on the crew's threads.
    pub(crate) fn run(&self, work: impl FnOnce() + Send) {
        self.threads.install(work);
    }

    /// Searches to the end and reports all but the best move; blocks until then.
    pub(crate) fn search(&self, game: &Game, shared: &Shared, report: &mut dyn Report) -> Best {
        let reporting = Mutex::new(&mut *report);
        let memories = &self.memories;
        let results: Vec<Option<(Found, Info)>> = self.threads.broadcast(|context| {
            let index = context.index();
            let _stop = (index == 0).then(|| StopOnDrop(shared));
            let mut memory = memories
                .get(index)?
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let mut reporting =
                (index == 0).then(|| reporting.lock().unwrap_or_else(PoisonError::into_inner));
            let report = reporting
                .as_mut()
                .map(|report| &mut ***report as &mut dyn Report);
            let mut worker = Worker::new(index, &mut memory, shared, game, report);
            let found = deepen::deepen(&mut worker)?;
            let info = deepen::info(&worker, &found.best, 0, found.depth);
            Some((found, info))
        });
        let (found, infos): (Vec<_>, Vec<_>) = results.into_iter().flatten().unzip();
        let winner = vote::winner(&found).unwrap_or_default();
        let (Some(found), Some(info)) = (found.get(winner), infos.into_iter().nth(winner)) else {
            return Best {
                best: None,
                ponder: None,
            };
        };
        if !found.told {
            report.info(&info);
        }
        let mut pv = info.pv.into_iter();
        Best {
            best: pv.next(),
            ponder: pv.next(),
        }
    }
}
