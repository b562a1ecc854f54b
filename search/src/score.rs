//! Scores in evaluation units, with bands for mates and tablebase wins; and bounds.

use movegen::FIFTY_MOVE_PLIES;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The largest ply of the search, and so the longest mate in plies.
pub const MAX_PLY: usize = 240;

/// A score for the side to move. Evaluations are around zero; at either end are mates by their
/// distance, and next to them tablebase wins and losses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const MATE_BAND: i32 = MATE - MAX_PLY as i32;
const TABLEBASE: i32 = 30_000;
const TABLEBASE_BAND: i32 = TABLEBASE - MAX_PLY as i32;

impl Score {
    pub const DRAW: Self = Self(0);
    /// Cursed win: a draw by the fifty-move rule, but the better side of it.
    pub const CURSED_WIN: Self = Self(1);
    /// Above every score; the upper edge of a full window.
    pub const INFINITE: Self = Self(MATE + 1);
    pub const MINUS_INFINITE: Self = Self(-MATE - 1);
    /// The largest evaluation, below every proven win.
    pub const MAX_EVAL: Self = Self(TABLEBASE_BAND - 1);

    /// An evaluation, clamped to stay out of the bands of proven scores.
    pub const fn eval(value: i32) -> Self {
        let limit = Self::MAX_EVAL.0;
        Self(if value > limit {
            limit
        } else if value < -limit {
            -limit
        } else {
            value
        })
    }

    /// The side to move is mated `ply` plies from the root.
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// The side to move mates with the move that ends `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// A tablebase win for the side to move, `ply` plies from the root.
    pub const fn tablebase_win(ply: usize) -> Self {
        let plies = if ply < MAX_PLY { ply } else { MAX_PLY };
        Self(TABLEBASE - plies as i32)
    }

    /// A tablebase loss for the side to move, `ply` plies from the root.
    pub const fn tablebase_loss(ply: usize) -> Self {
        Self(-Self::tablebase_win(ply).0)
    }

    pub const fn raw(self) -> i32 {
        self.0
    }

    /// A mate for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BAND
    }

    /// A proven win, by mate or by tablebase.
    pub const fn is_win(self) -> bool {
        self.0 >= TABLEBASE_BAND
    }

    /// A proven loss.
    pub const fn is_loss(self) -> bool {
        self.0 <= -TABLEBASE_BAND
    }

    /// A proven win or loss.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Both are proven wins, or both are proven losses.
    pub const fn agrees(self, other: Self) -> bool {
        self.is_win() && other.is_win() || self.is_loss() && other.is_loss()
    }

    /// Moves (not plies) to mate: positive when the side to move mates.
    pub const fn mate_distance(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((MATE - self.0 + 1) / 2)
        } else {
            Some(-((MATE + self.0) / 2))
        }
    }

    /// Plies to mate, for either side.
    pub const fn mate_plies(self) -> Option<usize> {
        if self.is_mate() {
            Some((MATE - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// Plies to a tablebase win for either side; `None` for a mate.
    pub const fn tablebase_plies(self) -> Option<usize> {
        if self.is_decisive() && !self.is_mate() {
            Some((TABLEBASE - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// For the transposition table: distances are from the stored position, not from the root.
    pub const fn to_tt(self, ply: usize) -> i16 {
        let value = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// Back from the transposition table. `None` for a mate or tablebase win that the fifty-move
    /// rule would overtake at this halfmove clock. It must not become some merely good score: all
    /// moves that lead to one would look alike, and the search would make no progress.
    pub const fn from_tt(stored: i16, ply: usize, halfmove_clock: u16) -> Option<Self> {
        let value = stored as i32;
        let size = value.abs();
        if size < TABLEBASE_BAND {
            return Some(Self(value));
        }
        let plies = if size >= MATE_BAND { MATE } else { TABLEBASE } - size;
        if plies > FIFTY_MOVE_PLIES as i32 - halfmove_clock as i32 {
            None
        } else {
            Some(Self((size - ply as i32) * value.signum()))
        }
    }

    /// Interpolates: `share`/1024 of the way to `other`.
    #[must_use]
    pub const fn towards(self, other: Self, share: i32) -> Self {
        Self(self.0 + (other.0 - self.0) * share / 1024)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, other: i32) -> Self {
        Self(self.0 + other)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, other: i32) -> Self {
        Self(self.0 - other)
    }
}

impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "{}", self.0),
        }
    }
}

/// The bound a score is of the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score: the search failed low.
    Upper = 1,
    /// The true value is at least the score: the search failed high.
    Lower = 2,
    Exact = 3,
}

impl Bound {
    pub(crate) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }

    /// The true value is at least the score.
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// The true value is at most the score.
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}
