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

    /// Returns the window from the opponent's side.
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

    /// The bound that the value of a node is, after a search of its moves: one that fails high is a
    /// lower bound, one that raised alpha is exact, which null windows cannot tell.
    #[inline]
    pub(crate) fn bound_of<NT: NodeType>(self, value: Score, raised_alpha: bool) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if NT::PV && raised_alpha {
            Bound::Exact
        } else {
            Bound::Upper
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

#[cfg(test)]
mod tests {
    use super::{NonPv, Pv, Window};
    use crate::score::{Bound, Score};

    /// At or above beta a value is a lower bound, at or below alpha an upper one; between them it
    /// is exact.
    #[test]
    fn every_value_has_its_bound() {
        let window = Window {
            alpha: Score::eval(-3),
            beta: Score::eval(4),
        };
        for value in (-6..=6).map(Score::eval) {
            let raised = value > window.alpha;
            let expected = match value {
                value if value <= window.alpha => Bound::Upper,
                value if value >= window.beta => Bound::Lower,
                _ => Bound::Exact,
            };
            assert_eq!(window.bound_of::<Pv>(value, raised), expected, "{value:?}");
            let null = Window::null(window.beta);
            let fails_high = value >= null.beta;
            let expected = if fails_high {
                Bound::Lower
            } else {
                Bound::Upper
            };
            let bound = null.bound_of::<NonPv>(value, fails_high);
            assert_eq!(bound, expected, "{value:?}");
            assert!(null.is_cut_by(bound, value), "{value:?}");
        }
    }
}
