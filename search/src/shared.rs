//! What the threads of one search share. Read by all, written only through atomics.

use crate::SearchOptions;
use crate::clock::Clock;
use crate::root;
use crate::stop::Stop;
use crate::tablebase::Access;
use crate::tablebase::ranking::{self, Ranking};
use crate::tt::Table;
use movegen::Game;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A worker's counters, alone on their cache line, so that threads do not disturb each other's.
#[derive(Default, Debug)]
#[repr(align(128))]
struct Counters {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) game: &'a Game,
    pub(crate) options: &'a SearchOptions,
    pub(crate) table: &'a Table,
    pub(crate) stop: &'a Stop,
    pub(crate) clock: Clock,
    /// The limit of the options, or less for a part of a search.
    pub(crate) node_limit: Option<u64>,
    pub(crate) tables: Option<Access<'a>>,
    /// How the tablebases rank the root moves.
    pub(crate) ranking: Option<Ranking>,
    /// All workers are to return.
    halted: AtomicBool,
    /// One for each worker, brought up to date now and then.
    counters: Vec<Counters>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        game: &'a Game,
        options: &'a SearchOptions,
        table: &'a Table,
        stop: &'a Stop,
        tables: Option<Access<'a>>,
        workers: usize,
    ) -> Self {
        let limits = &options.limits;
        // Not when searching for a mate: a quick one need not be on the tablebases' way.
        let ranked = tables.as_ref().filter(|_| limits.mate.is_none());
        let ranking = ranked.and_then(|tables| {
            let moves = root::allowed(game.position(), limits);
            ranking::rank(tables, game, &moves)
        });
        Self {
            game,
            options,
            table,
            stop,
            clock: Clock::new(
                limits,
                game.position().side_to_move(),
                options.move_overhead,
            ),
            node_limit: limits.nodes,
            tables,
            ranking,
            halted: AtomicBool::new(false),
            counters: (0..workers).map(|_| Counters::default()).collect(),
        }
    }

    /// The same for a part of the search of so many nodes, after so many others.
    pub(crate) fn part(&self, nodes: u64, nodes_before: u64) -> Self {
        let left = |limit: u64| limit.saturating_sub(nodes_before).clamp(1, nodes);
        Self {
            node_limit: Some(self.node_limit.map_or(nodes, left)),
            tables: self.tables,
            ranking: None,
            halted: AtomicBool::new(false),
            counters: self.counters.iter().map(|_| Counters::default()).collect(),
            ..*self
        }
    }

    /// All workers are to return: a limit is reached, the caller wants the answer, or the leader
    /// is done.
    #[inline]
    pub(crate) fn halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    pub(crate) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Time since `go`.
    pub(crate) fn elapsed(&self) -> Duration {
        self.options.started.elapsed()
    }

    /// The hard time limit is reached.
    pub(crate) fn out_of_time(&self) -> bool {
        !self.stop.is_pondering(self.options)
            && self.clock.over(self.stop.time_on_own_clock(self.options))
    }

    /// The tables, where they are to be asked inside the tree.
    pub(crate) fn tables_in_tree(&self) -> Option<Access<'a>> {
        let needed = self
            .ranking
            .as_ref()
            .is_none_or(|ranking| ranking.needs_help);
        self.tables.filter(|_| needed)
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
