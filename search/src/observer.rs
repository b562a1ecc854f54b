//! The output of a search: progress to an observer, and the result.

use crate::score::{Bound, Score};
use crate::wdl::Chances;
use movegen::Move;
use std::time::Duration;

/// A line of analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    pub depth: u32,
    pub selective_depth: u32,
    /// The number of the line, from 1.
    pub line: usize,
    pub score: Score,
    /// The score on a scale where 100 is an even chance to win.
    pub centipawns: i32,
    pub chances: Chances,
    pub bound: Bound,
    pub nodes: u64,
    pub time: Duration,
    /// The share of the transposition table in use, in permille.
    pub hash_full: u32,
    pub tablebase_hits: u64,
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes per second, saturating.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

pub(crate) fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let nanoseconds = time.as_nanos().max(1);
    let rate = u128::from(nodes) * 1_000_000_000 / nanoseconds;
    u64::try_from(rate).unwrap_or(u64::MAX)
}

/// Receives the progress of a search, on the thread that called it.
pub trait Observer {
    /// True if `info` does anything; when not, no `Info` is built during the search.
    fn wants_info(&self) -> bool {
        true
    }

    fn info(&mut self, _info: &Info) {}

    /// The search now looks at this root move; moves are numbered from 1.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}

    /// Neither side has a mate in this many moves.
    fn no_mate(&mut self, _moves: u32) {}

    /// The result, as soon as it is known: the search still waits for its helper threads to end.
    fn result(&mut self, _result: &SearchResult) {}
}

/// Observes nothing.
impl Observer for () {
    fn wants_info(&self) -> bool {
        false
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// `None` when there is no legal move.
    pub best_move: Option<Move>,
    /// The expected reply, to ponder on.
    pub ponder: Option<Move>,
    /// For the side to move.
    pub score: Score,
    /// The depth the best move was searched to.
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
    /// The principal variations, the best first: as many as requested or as there are legal
    /// moves, and no two with the same first move.
    pub lines: Vec<Info>,
}

impl SearchResult {
    /// The best line: the best move and what is expected after it.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |info| &info.pv)
    }
}
