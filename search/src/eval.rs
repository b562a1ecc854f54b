//! The static evaluation: known endings, and otherwise the network. One position in, one number
//! out, in evaluation units; knows nothing of the search.

#[cfg(test)]
mod tests;
mod trace;

pub use trace::{EvalTrace, eval_trace};

use crate::endgame;
use crate::nnue::{AccumulatorStack, Network, Simd};
use crate::score::MAX_PLY;
use movegen::{Move, Position};
use std::sync::Arc;

/// The value of a single position, for the side to move. Along a line of moves `Evaluator` gives
/// the same, faster.
#[must_use]
fn evaluate(position: &Position, network: &Network) -> i32 {
    endgame::value(position).unwrap_or_else(|| network.evaluate_from_scratch(position))
}

/// Evaluates the positions along a line of moves.
#[derive(Debug)]
pub(crate) struct Evaluator(AccumulatorStack);

impl Evaluator {
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

    /// The value of the position at a ply, for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        if let Some(value) = endgame::value(position) {
            return value;
        }
        let value = self.0.evaluate(position, ply);
        #[cfg(test)]
        assert_eq!(value, self.0.network().evaluate_from_scratch(position));
        value
    }
}
