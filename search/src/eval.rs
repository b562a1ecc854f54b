//! The static evaluation: known endings, and otherwise the network; then what the search makes of
//! it. In evaluation units; knows nothing of the search.

#[cfg(test)]
mod tests;
mod trace;

pub use trace::{EvalTrace, eval_trace};

use crate::endgame;
use crate::nnue::{AccumulatorStack, Network, Simd};
use crate::score::{MAX_PLY, Score};
use movegen::{FIFTY_MOVE_PLIES, Move, Position, Role};
use std::sync::Arc;

/// The value of a single position, for the side to move. Along a line of moves `LineEvaluator`
/// gives the same, faster.
pub fn evaluate(position: &Position, network: &Network) -> i32 {
    let value = endgame::value(position);
    Score::eval(value.unwrap_or_else(|| network.evaluate_from_scratch(position))).raw()
}

/// Evaluates the positions along a line of moves.
#[derive(Debug)]
pub(crate) struct LineEvaluator(AccumulatorStack);

impl LineEvaluator {
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        let network = Arc::clone(network);
        Self(AccumulatorStack::new(network, Simd::best(), MAX_PLY))
    }

    /// Starts a line at ply 0.
    pub(crate) fn reset(&mut self, root: &Position) {
        self.0.reset(root);
    }

    /// Makes a move on the position at a ply.
    #[inline]
    pub(crate) fn make_move(&mut self, position: &Position, mv: Move, ply: usize) {
        self.0.make_move(position, mv, ply);
    }

    /// Makes a null move at a ply.
    pub(crate) fn make_null(&mut self, ply: usize) {
        self.0.make_null(ply);
    }

    /// The value of the position at a ply, for the side to move, within the limits of an eval.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> i16 {
        let value = endgame::value(position).unwrap_or_else(|| {
            let value = self.0.evaluate(position, ply);
            #[cfg(test)]
            assert_eq!(value, self.0.network().evaluate_from_scratch(position));
            value
        });
        Score::eval(value).raw() as i16
    }
}

/// The plies before the limit of the fifty-move rule in which known endings have no value: the
/// search itself finds the mates that are left.
const MATE_IN_SIGHT: i32 = 10;
/// The plies before those, over which the value of known endings falls to zero.
const FADING: i32 = 10;

/// The static evaluation of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StaticEval {
    /// The value that the evaluator returns and the TT stores.
    pub(crate) raw: i16,
    /// Shrunk towards a draw as the halfmove clock rises, and corrected by the correction history.
    /// Known endings keep their value, which leads to the mate, until the clock is near its limit.
    pub(crate) corrected: i32,
}

impl StaticEval {
    #[inline]
    pub(crate) fn new(position: &Position, raw: i16, correction: i32) -> Self {
        let value = i32::from(raw);
        let limit = i32::from(FIFTY_MOVE_PLIES);
        let clock = i32::from(position.halfmove_clock()).min(limit);
        if endgame::is_known(position) {
            let left = (limit - MATE_IN_SIGHT - clock).clamp(0, FADING);
            return Self {
                raw,
                corrected: value * left / FADING,
            };
        }
        // Without pawns only a capture resets the clock, and it may never come.
        let full = if position.by_role(Role::Pawn).any() {
            2 * limit
        } else {
            limit
        };
        let damped = value * (full - clock) / full;
        Self {
            raw,
            corrected: Score::eval(damped + correction).raw(),
        }
    }
}
