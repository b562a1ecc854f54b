//! What the workers of one search have in common. Read by all, written only through atomics.

use crate::clock::Clock;
use crate::limits::Limits;
use crate::root;
use crate::signal::Signal;
use crate::tablebase::Access;
use crate::tablebase::ranking::{self, Ranking};
use crate::tt::Table;
use movegen::Game;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A worker's counters, alone on their cache line, so that threads do not disturb each other's.
#[derive(Default, Debug)]
#[repr(align(128))]
struct Counters {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) table: Arc<Table>,
    pub(crate) signal: Arc<Signal>,
    pub(crate) limits: Limits,
    pub(crate) clock: Clock,
    pub(crate) multi_pv: usize,
    pub(crate) tables: Option<Access>,
    /// What the tables say of the root's moves.
    pub(crate) ranking: Option<Ranking>,
    /// Of each worker, brought up to date now and then.
    counters: Vec<Counters>,
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
        let counters = (0..workers).map(|_| Counters::default()).collect();
        Self {
            table,
            signal,
            limits,
            clock,
            multi_pv,
            tables: None,
            ranking: None,
            counters,
        }
    }

    /// The same with endgame tables, which rank the root's moves. Not when a mate is asked for:
    /// a quick one need not be on the tables' way.
    pub(crate) fn with_tables(mut self, tables: Option<Access>, game: &Game) -> Self {
        let asked = tables.as_ref().filter(|_| self.limits.mate.is_none());
        self.ranking = asked.and_then(|tables| {
            let moves = root::allowed(game.position(), &self.limits);
            ranking::rank(tables, game, &moves)
        });
        self.tables = tables;
        self
    }

    /// The same for a part of the search of so many nodes, after so many others.
    pub(crate) fn part(&self, nodes: u64, nodes_before: u64) -> Self {
        let left = |limit: u64| limit.saturating_sub(nodes_before).clamp(1, nodes);
        let mut limits = self.limits.clone();
        limits.nodes = Some(limits.nodes.map_or(nodes, left));
        let mut part = Self::new(
            Arc::clone(&self.table),
            Arc::clone(&self.signal),
            limits,
            self.clock,
            self.multi_pv,
            self.counters.len(),
        );
        part.tables.clone_from(&self.tables);
        part
    }

    /// The tables, where they are to be asked inside the tree.
    pub(crate) fn tables_in_tree(&self) -> Option<&Access> {
        let needed = self
            .ranking
            .as_ref()
            .is_none_or(|ranking| ranking.needs_help);
        self.tables.as_ref().filter(|_| needed)
    }

    /// Tells the others how far a worker is.
    pub(crate) fn publish(&self, worker: usize, nodes: u64, tablebase_hits: u64) {
        if let Some(counters) = self.counters.get(worker) {
            counters.nodes.store(nodes, Ordering::Relaxed);
            counters
                .tablebase_hits
                .store(tablebase_hits, Ordering::Relaxed);
        }
    }

    /// Nodes of all workers, but for the last few of each.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// How often the tables answered, at the root and to all workers.
    pub(crate) fn tablebase_hits(&self) -> u64 {
        let at_the_root = self.ranking.as_ref().map_or(0, |ranking| ranking.hits);
        let in_the_tree = self
            .counters
            .iter()
            .map(|counters| counters.tablebase_hits.load(Ordering::Relaxed));
        at_the_root + in_the_tree.sum::<u64>()
    }
}
