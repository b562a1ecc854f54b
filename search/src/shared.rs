//! The state that the threads of one search share: read by all, written only through atomics.

use crate::control::SearchControl;
use crate::draw::drawn_game;
use crate::limits::SearchOptions;
use crate::root::{self, RootMove};
use crate::syzygy::TbProber;
use crate::syzygy::root::{TbRanking, rank};
use crate::time::{Lag, TimeManager};
use crate::tt::TranspositionTable;
use movegen::Game;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A worker's counters, on a cache line of their own.
#[derive(Default, Debug)]
#[repr(align(128))]
struct Counters {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

/// The result of a worker.
#[derive(Clone, Debug)]
pub(crate) struct WorkerResult {
    pub(crate) best: RootMove,
    /// The depth it was searched to.
    pub(crate) depth: i32,
    /// The lines of the last completed iteration, and its depth.
    pub(crate) completed: (Vec<RootMove>, i32),
}

#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) game: &'a Game,
    pub(crate) options: &'a SearchOptions,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) control: &'a SearchControl,
    pub(crate) time: TimeManager,
    /// The node limit of the options, or a lower one for a part of a search.
    pub(crate) node_limit: Option<u64>,
    pub(crate) tablebases: Option<TbProber<'a>>,
    /// The tablebases' ranking of the root moves.
    pub(crate) ranking: Option<TbRanking>,
    /// The game has ended in a draw: every move has that score.
    pub(crate) is_drawn: bool,
    halted: AtomicBool,
    /// The time for the move has been spent on the opponent's clock.
    ends_at_ponder_hit: AtomicBool,
    /// The counters of each worker, updated from time to time.
    counters: Vec<Counters>,
    /// The last completed iteration of each helper.
    found: Vec<Mutex<Option<WorkerResult>>>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        game: &'a Game,
        options: &'a SearchOptions,
        tt: &'a TranspositionTable,
        control: &'a SearchControl,
        tablebases: Option<TbProber<'a>>,
        workers: usize,
        lag: Lag,
    ) -> Self {
        let limits = &options.limits;
        // Not when searching for a mate: the moves with the smallest DTZ may not be the fastest.
        let ranked = tablebases.as_ref().filter(|_| limits.mate.is_none());
        let ranking = ranked.and_then(|tablebases| {
            let moves = root::allowed(game.position(), limits);
            rank(tablebases, game, &moves)
        });
        Self {
            game,
            options,
            tt,
            control,
            time: TimeManager::new(
                limits,
                game.position().side_to_move(),
                options.move_overhead,
                lag,
            ),
            node_limit: limits.nodes,
            tablebases,
            ranking,
            is_drawn: drawn_game(game).is_some(),
            halted: AtomicBool::new(false),
            ends_at_ponder_hit: AtomicBool::new(false),
            counters: (0..workers).map(|_| Counters::default()).collect(),
            found: (1..workers).map(|_| Mutex::default()).collect(),
        }
    }

    /// The shared state of a part of the search with a node limit of its own.
    pub(crate) fn part(&self, nodes: u64, nodes_before: u64) -> Self {
        let left = |limit: u64| limit.saturating_sub(nodes_before).clamp(1, nodes);
        Self {
            node_limit: Some(self.node_limit.map_or(nodes, left)),
            tablebases: self.tablebases,
            ranking: None,
            halted: AtomicBool::new(false),
            ends_at_ponder_hit: AtomicBool::new(false),
            counters: self.counters.iter().map(|_| Counters::default()).collect(),
            found: self.found.iter().map(|_| Mutex::default()).collect(),
            ..*self
        }
    }

    /// All workers must return: a limit is reached, the caller stopped the search, or the leader is
    /// done.
    #[inline]
    pub(crate) fn halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    pub(crate) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// The time since the request.
    pub(crate) fn elapsed(&self) -> Duration {
        self.options.started.elapsed()
    }

    /// The hard time limit is reached, or the soft one while pondering.
    pub(crate) fn out_of_time(&self) -> bool {
        let on_own_clock = || self.control.time_on_own_clock(self.options);
        !self.control.is_pondering(self.options)
            && (self.ends_at_ponder_hit.load(Ordering::Relaxed)
                || self.time.hard_limit_reached(on_own_clock()))
    }

    /// Says whether a ponder hit finds the time for the move spent.
    pub(crate) fn end_at_ponder_hit(&self, ends: bool) {
        self.ends_at_ponder_hit.store(ends, Ordering::Relaxed);
    }

    /// The tablebases, if the search probes them in the tree.
    pub(crate) fn tablebases_in_tree(&self) -> Option<TbProber<'a>> {
        let needed = self
            .ranking
            .as_ref()
            .is_none_or(|ranking| ranking.probe_in_tree);
        self.tablebases.filter(|_| needed)
    }

    /// Makes a worker's counters visible to the others.
    pub(crate) fn publish(&self, worker: usize, nodes: u64, tablebase_hits: u64) {
        if let Some(counters) = self.counters.get(worker) {
            counters.nodes.store(nodes, Ordering::Relaxed);
            counters
                .tablebase_hits
                .store(tablebase_hits, Ordering::Relaxed);
        }
    }

    /// Keeps the result of a helper's last iteration for the vote; the leader has its own.
    pub(crate) fn publish_result(&self, worker: usize, found: &WorkerResult) {
        let slot = worker
            .checked_sub(1)
            .and_then(|helper| self.found.get(helper));
        if let Some(slot) = slot {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(found.clone());
        }
    }

    /// The results that the helpers have published.
    pub(crate) fn published_results(&self) -> impl Iterator<Item = WorkerResult> {
        let slots = self.found.iter();
        slots.filter_map(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// The nodes of all workers, except for the last few of each.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Successful probes at the root and by all workers.
    pub(crate) fn tablebase_hits(&self) -> u64 {
        let at_root = self.ranking.as_ref().map_or(0, |ranking| ranking.hits);
        let in_tree = self
            .counters
            .iter()
            .map(|counters| counters.tablebase_hits.load(Ordering::Relaxed));
        at_root + in_tree.sum::<u64>()
    }
}
