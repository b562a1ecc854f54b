//! The search for the best move: alpha-beta, move ordering, evaluation, time, threads.
//!
//! Does no input or output: a caller brings a game and limits, and an `Observer` for the progress.

mod adjust_depth;
pub mod bench;
mod control;
mod draw;
mod endgame;
mod eval;
mod history;
mod iterative;
mod limits;
mod lmr;
mod mate;
mod memory;
mod movepick;
mod negamax;
pub mod nnue;
mod node;
mod observer;
pub mod params;
mod pruning;
mod pv;
mod qsearch;
mod reporting;
mod root;
mod score;
mod shared;
mod smp;
mod stack;
mod syzygy;
mod thread;
mod time;
pub mod tt;
mod update;
pub mod wdl;
mod window;

pub use control::{Poll, SearchControl};
pub use draw::drawn_game;
pub use eval::{EvalTrace, eval_trace, evaluate};
pub use limits::{Limits, PlayerClock, SearchOptions};
pub use observer::{Info, Observer, SearchResult};
pub use score::{Bound, MAX_PLY, Score};
pub use smp::{STACK_BYTES, ThreadError};
pub use syzygy::{Dtz, TablebaseCount, TablebaseError, TablebaseUse, Tablebases, Wdl};
pub use tt::TtError;
pub use wdl::{Chances, centipawns, chances};

use movegen::{Game, MoveList, Position};
use nnue::Network;
use reporting::FinalReporter;
use shared::Shared;
use smp::ThreadPool;
use std::sync::Arc;
use syzygy::TbProber;
use thiserror::Error;
use time::Lag;
use tt::TranspositionTable;

/// The reason a setting cannot be changed; the old value stays.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SearchError {
    #[error(transparent)]
    Tt(#[from] TtError),
    #[error("{error}; it remains at {kept} MB")]
    Resize { error: TtError, kept: usize },
    #[error(transparent)]
    Threads(#[from] ThreadError),
}

/// Searches games; owns the transposition table (TT), the histories and the threads.
#[derive(Debug)]
pub struct Searcher {
    tt: TranspositionTable,
    network: Arc<Network>,
    tablebases: Arc<Tablebases>,
    threads: ThreadPool,
    lag: Lag,
}

impl Searcher {
    /// With a TT of this size, one thread, and the embedded network.
    pub fn new(hash_megabytes: usize) -> Result<Self, SearchError> {
        Self::with_network(hash_megabytes, Arc::clone(nnue::embedded()))
    }

    /// With a TT of this size and one thread. The system provides the memory of the TT and the
    /// histories as they are used, or all of it for `new_game`.
    pub fn with_network(hash_megabytes: usize, network: Arc<Network>) -> Result<Self, SearchError> {
        Ok(Self {
            tt: TranspositionTable::new(hash_megabytes)?,
            threads: ThreadPool::single(&network),
            network,
            tablebases: Arc::default(),
            lag: Lag::default(),
        })
    }

    /// The size of the TT.
    pub fn hash_megabytes(&self) -> usize {
        self.tt.megabytes()
    }

    /// Replaces the TT by an empty one of this size, whose memory the system provides now, so
    /// that no search waits for it.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), SearchError> {
        let kept = self.tt.megabytes();
        self.tt = TranspositionTable::new(megabytes)
            .map_err(|error| SearchError::Resize { error, kept })?;
        self.clear_hash();
        Ok(())
    }

    /// Evaluates with this network; clears the TT and the histories.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.threads.set_network(&network);
        self.network = network;
        self.new_game();
    }

    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Several searchers may share their tablebases.
    pub fn set_tablebases(&mut self, tablebases: impl Into<Arc<Tablebases>>) {
        self.tablebases = tablebases.into();
    }

    /// Searches with this many threads, which start without histories.
    pub fn set_threads(&mut self, count: usize) -> Result<(), SearchError> {
        let count = count.max(1);
        if self.threads.len() != count {
            self.threads = ThreadPool::new(count, &self.network)?;
        }
        Ok(())
    }

    /// Clears the TT and the histories. Afterwards the system has provided their memory, so
    /// that no search waits for it.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.threads.clear();
        self.lag = Lag::default();
    }

    /// Clears the TT only.
    pub fn clear_hash(&mut self) {
        self.tt.clear(self.threads.pool());
    }

    /// Searches the current position of a game; returns when a limit is reached or `control`
    /// stops it. One thread runs on the caller's stack, which should be `STACK_BYTES` large.
    ///
    /// With one thread and no time limit the same searches give the same outcomes.
    pub fn search(
        &mut self,
        game: &Game,
        options: &SearchOptions,
        control: &SearchControl,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        self.tt.new_generation();
        let tablebases = TbProber::new(&self.tablebases, options.tablebases);
        let threads = self.threads.len();
        let side = game.position().side_to_move();
        self.lag.begin(&options.limits, side);
        let lag = self.lag;
        let shared = Shared::new(game, options, &self.tt, control, tablebases, threads, lag);
        let pass_on = &mut |reports: &mut FinalReporter<'_>, result: &SearchResult| {
            control.wait_to_answer(options);
            if let Some(hard) = shared.time.hard_limit()
                && !control.is_pondering(options)
            {
                let planned = control
                    .time_on_own_clock(options)
                    .min(hard.max(options.not_before));
                self.lag.end(&options.limits, side, planned);
            }
            // A GUI may show only what it received after the ponder hit.
            reports.end(result, options.limits.ponder || options.limits.infinite);
            reports.result(result);
        };
        let reports = &mut FinalReporter::new(observer);
        match options.limits.mate.filter(|_| !shared.is_drawn) {
            Some(moves) => {
                let result = mate::search(&mut self.threads, &shared, moves, reports);
                pass_on(reports, &result);
                result
            }
            None => self.threads.search(&shared, reports, pass_on),
        }
    }

    /// Every legal move of a position, in the order a search would try them, which depends on the
    /// TT and the histories.
    pub fn order(&mut self, position: &Position) -> MoveList {
        let hit = self.tt.probe(tt::key(position));
        let tt_move = hit
            .and_then(|hit| hit.mv)
            .filter(|&mv| position.is_legal(mv));
        self.threads.leader().order(position, tt_move)
    }
}
