//! Scores as UCI writes them, in text and in JSON.

use std::fmt;

use search::{Bound, Info};
use serde::Serialize;

/// A score for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UciScore {
    /// Centipawns; 100 is an even chance to win.
    Cp(i32),
    /// Moves to mate: negative when the side to move is mated, 0 when it is checkmate.
    Mate(i32),
}

impl UciScore {
    pub(crate) fn of(info: &Info) -> Self {
        match info.score.mate_distance() {
            Some(moves) => Self::Mate(moves),
            None => Self::Cp(info.centipawns),
        }
    }

    /// The score of a position without legal moves.
    pub(crate) fn of_end(in_check: bool) -> Self {
        if in_check { Self::Mate(0) } else { Self::Cp(0) }
    }
}

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// The bound that a score is, if it is not exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UciBound {
    Lower,
    Upper,
}

impl UciBound {
    pub(crate) fn of(bound: Bound) -> Option<Self> {
        match bound {
            Bound::Exact => None,
            Bound::Lower => Some(Self::Lower),
            Bound::Upper => Some(Self::Upper),
        }
    }

    /// With a space in front.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Lower => " lowerbound",
            Self::Upper => " upperbound",
        }
    }
}
