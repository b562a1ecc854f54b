//! What the workers of one search have in common. Read by all, written only through atomics.

use crate::clock::Clock;
use crate::limits::Limits;
use crate::signal::Signal;
use crate::tt::Table;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter alone on its cache line, so that threads do not disturb each other's.
#[derive(Default, Debug)]
#[repr(align(128))]
struct Padded(AtomicU64);

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) table: Arc<Table>,
    pub(crate) signal: Arc<Signal>,
    pub(crate) limits: Limits,
    pub(crate) clock: Clock,
    pub(crate) multi_pv: usize,
    /// Nodes of each worker, brought up to date now and then.
    nodes: Vec<Padded>,
}

impl Shared {
    pub(crate) fn new(
        table: Arc<Table>,
        signal: Arc<Signal>,
        limits: Limits,
        clock: Clock,
        multi_pv: usize,
        workers: usize,
    ) -> Self {
        let nodes = (0..workers).map(|_| Padded::default()).collect();
        Self {
            table,
            signal,
            limits,
            clock,
            multi_pv,
            nodes,
        }
    }

    /// Tells the others how many nodes a worker has searched.
    pub(crate) fn publish_nodes(&self, worker: usize, nodes: u64) {
        if let Some(counter) = self.nodes.get(worker) {
            counter.0.store(nodes, Ordering::Relaxed);
        }
    }

    /// Nodes of all workers, but for the last few of each.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
            .iter()
            .map(|counter| counter.0.load(Ordering::Relaxed))
            .sum()
    }
}
