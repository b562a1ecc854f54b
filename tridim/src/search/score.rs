//! Scores from the point of view of the side to move.

use std::fmt;
use std::ops::Neg;

/// Centipawns, or a distance to mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

/// The score of a mate on the board; each ply of distance costs one.
const MATE: i32 = 32_000;
/// Scores beyond this are mates.
const MATE_BOUND: i32 = MATE - 1000;

impl Score {
    pub const DRAW: Self = Self(0);
    /// Larger than any score.
    pub(super) const INFINITE: Self = Self(MATE + 1);

    /// A score that is not a mate; clamped.
    pub(super) fn centipawns(sum: i32) -> Self {
        Self(sum.clamp(1 - MATE_BOUND, MATE_BOUND - 1))
    }

    /// The side to move is mated `ply` plies from the root.
    pub(super) const fn mated(ply: u32) -> Self {
        Self(ply as i32 - MATE)
    }

    pub(super) const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Adds centipawns.
    pub(super) fn plus(self, centipawns: i32) -> Self {
        Self::centipawns(self.0 + centipawns)
    }

    pub(super) const fn plus_one(self) -> Self {
        Self(self.0 + 1)
    }

    /// The score as stored in the table: mates are counted from the node, not from the root.
    pub(super) const fn to_table(self, ply: u32) -> i16 {
        (match self.0 {
            mate if mate > MATE_BOUND => mate + ply as i32,
            mated if mated < -MATE_BOUND => mated - ply as i32,
            other => other,
        }) as i16
    }

    pub(super) const fn from_table(stored: i16, ply: u32) -> Self {
        let stored = stored as i32;
        Self(match stored {
            mate if mate > MATE_BOUND => mate - ply as i32,
            mated if mated < -MATE_BOUND => mated + ply as i32,
            other => other,
        })
    }

    /// The score in centipawns, unless it is a mate.
    pub const fn in_centipawns(self) -> i32 {
        self.0
    }

    /// Moves to mate: positive when the side to move mates, negative when it is mated.
    pub const fn mate_in(self) -> Option<i32> {
        match self.0 {
            mate if mate > MATE_BOUND => Some((MATE - mate + 1) / 2),
            mated if mated < -MATE_BOUND => Some(-((MATE + mated + 1) / 2)),
            _ => None,
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        self.negated()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in() {
            Some(moves) if self.0 > 0 => write!(f, "mate in {moves}"),
            Some(moves) => write!(f, "mated in {}", -moves),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}
