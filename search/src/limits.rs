//! The limits and options of a search, as plain data.

use crate::syzygy::TablebaseUse;
use movegen::Move;
use std::time::{Duration, Instant};

/// A side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayerClock {
    /// `None` when the side has no clock.
    pub remaining: Option<Duration>,
    pub increment: Duration,
}

/// The limits of a search; whichever comes first ends it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// No iteration starts after this many nodes.
    pub soft_nodes: Option<u64>,
    pub move_time: Option<Duration>,
    /// White's clock and Black's.
    pub clocks: [PlayerClock; 2],
    /// Moves to the next time control; none are sudden death.
    pub moves_to_go: Option<u32>,
    /// Search for a mate in at most this many moves, for either side.
    pub mate: Option<u32>,
    /// Only a stop ends the search.
    pub infinite: bool,
    /// The opponent's clock runs until the ponder hit.
    pub ponder: bool,
    /// Only these root moves; all legal ones when empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// The moves to the next time control, if one is set.
    pub fn moves_to_time_control(&self) -> Option<u32> {
        self.moves_to_go.filter(|&moves| moves > 0)
    }

    /// There is a time limit.
    pub fn timed(&self) -> bool {
        self.move_time.is_some() || self.clocks.iter().any(|clock| clock.remaining.is_some())
    }
}

/// Options of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    pub limits: Limits,
    /// The number of principal variations.
    pub multi_pv: usize,
    pub tablebases: TablebaseUse,
    /// Time lost on every move outside the search.
    pub move_overhead: Duration,
    /// The search does not return before this time has passed, unless it is stopped.
    pub not_before: Duration,
    /// No move is pruned in nodes of this depth or less, for self-play with few nodes a move.
    pub full_width_depth: i32,
    /// When the request was read; clocks run from here.
    pub started: Instant,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl SearchOptions {
    /// Options of a search for one line, without overhead, started now.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            multi_pv: 1,
            tablebases: TablebaseUse::default(),
            move_overhead: Duration::ZERO,
            not_before: Duration::ZERO,
            full_width_depth: 0,
            started: Instant::now(),
        }
    }
}
