//! The window a value is asked in, and what kind of node is asked.

use crate::score::{Bound, Score};

/// Only values between these matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    pub(crate) const FULL: Self = Self {
        alpha: Score::MINUS_INFINITE,
        beta: Score::INFINITE,
    };

    /// Asks only whether the value is at least `beta`.
    #[inline]
    pub(crate) fn below(beta: Score) -> Self {
        Self {
            alpha: beta - 1,
            beta,
        }
    }

    /// The same window from the opponent's side.
    #[inline]
    pub(crate) fn flipped(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Asks of a child only whether it beats alpha, seen from the child.
    #[inline]
    pub(crate) fn scout(self) -> Self {
        Self {
            alpha: -self.alpha - 1,
            beta: -self.alpha,
        }
    }

    /// Nothing better than mating next and nothing worse than being mated now can come of a
    /// node this many plies from the root.
    #[inline]
    pub(crate) fn within_mates(self, ply: usize) -> Self {
        Self {
            alpha: self.alpha.max(Score::mated_in(ply)),
            beta: self.beta.min(Score::mate_in(ply + 1)),
        }
    }

    /// A value with this bound lies outside: nothing more need be known.
    #[inline]
    pub(crate) fn settled_by(self, bound: Bound, score: Score) -> bool {
        if score >= self.beta {
            bound.is_lower()
        } else {
            bound.is_upper() && score <= self.alpha
        }
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// What kind of node is searched, as a type: the compiler writes each search separately.
pub(crate) trait Kind {
    const ROOT: bool;
    const PV: bool;
}

/// The first node.
pub(crate) enum Root {}
/// A node whose exact value is wanted.
pub(crate) enum Pv {}
/// A node that is only asked on which side of a bound it lies.
pub(crate) enum Scout {}

impl Kind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Kind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl Kind for Scout {
    const ROOT: bool = false;
    const PV: bool = false;
}
