//! The alpha-beta window, and the types of nodes.

use crate::score::{Bound, Score};

/// Only values between alpha and beta matter.
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

    /// A null window: only asks whether the value is at least `beta`.
    #[inline]
    pub(crate) fn null(beta: Score) -> Self {
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

    /// A node at this ply is worth at most a mate with its next move and at least being mated
    /// now.
    #[inline]
    pub(crate) fn mate_distance(self, ply: usize) -> Self {
        Self {
            alpha: self.alpha.max(Score::mated_in(ply)),
            beta: self.beta.min(Score::mate_in(ply + 1)),
        }
    }

    /// True if a score with this bound causes a cutoff: the value is certainly outside.
    #[inline]
    pub(crate) fn is_cut_by(self, bound: Bound, score: Score) -> bool {
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

/// The type of a node, known at compile time.
pub(crate) trait NodeType {
    const ROOT: bool;
    const PV: bool;
}

/// The root of the tree.
pub(crate) enum Root {}
/// A node on a principal variation, searched for its exact value.
pub(crate) enum Pv {}
/// A node searched with a null window.
pub(crate) enum NonPv {}

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}
