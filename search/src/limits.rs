//! What `go` asked for, as plain data.

use movegen::Move;
use std::time::Duration;

/// A side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlayerClock {
    /// What is left; `None` when the side has no clock.
    pub remaining: Option<Duration>,
    pub increment: Duration,
}

/// The limits of a search; whichever comes first ends it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// No iteration is begun after so many nodes.
    pub soft_nodes: Option<u64>,
    pub move_time: Option<Duration>,
    /// White's clock and Black's.
    pub clocks: [PlayerClock; 2],
    /// Moves until the clocks are filled up again.
    pub moves_to_go: Option<u32>,
    /// Stop when a mate in at most so many moves is found.
    pub mate: Option<u32>,
    /// Nothing but `stop` ends the search.
    pub infinite: bool,
    /// The opponent's clock runs until `ponder_hit`.
    pub ponder: bool,
    /// Only these root moves; all of them when empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Only a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Some clock runs.
    #[must_use]
    pub fn timed(&self) -> bool {
        self.move_time.is_some() || self.clocks.iter().any(|clock| clock.remaining.is_some())
    }
}
