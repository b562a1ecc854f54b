//! What leaves a search: progress for whoever watches, and the move at the end.

use crate::score::{Bound, Score};
use crate::wdl::Chances;
use movegen::Move;
use std::time::Duration;

/// One line of analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    pub depth: u32,
    pub selective_depth: u32,
    /// Which of several lines this is, from 1.
    pub line: usize,
    pub score: Score,
    /// The score on a scale where 100 is an even chance to win.
    pub centipawns: i32,
    pub chances: Chances,
    pub bound: Bound,
    pub nodes: u64,
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    pub tablebase_hits: u64,
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes a second, saturating.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let nanoseconds = self.time.as_nanos().max(1);
        let rate = u128::from(self.nodes) * 1_000_000_000 / nanoseconds;
        u64::try_from(rate).unwrap_or(u64::MAX)
    }
}

/// The end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Best {
    /// `None` when there is no legal move.
    pub best: Option<Move>,
    /// The reply expected, to think about meanwhile.
    pub ponder: Option<Move>,
}

/// Whoever listens to a search. Called from the search's own threads.
pub trait Report: Send {
    fn info(&mut self, info: &Info);

    /// The root move looked at from now on, and its number from 1.
    fn current_move(&mut self, depth: u32, mv: Move, number: usize);

    /// There is no mate in so many moves, for either side.
    fn no_mate(&mut self, _moves: u32) {}

    /// Called once, last.
    fn best(&mut self, best: Best);
}
