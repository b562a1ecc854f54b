//! What a position is worth before anything is played: what is known of bare endings, and
//! otherwise the opinion of a network.
//!
//! Owns every opinion about standing positions. It knows nothing of searching: one position
//! in, one number out, in the network's units, the same for both colours and both wings.

#[cfg(test)]
mod tests;
mod trace;

pub use trace::{EvalTrace, eval_trace};

use crate::endgame;
use crate::nnue::{AccumulatorStack, Network, Simd};
use crate::score::MAX_PLY;
use movegen::{Move, Position};
use std::sync::Arc;

/// The value of a position is known and not an opinion, though it may be no more than how far a
/// hunt has come: nothing a search learns of like positions or of the clock makes it better.
#[inline]
pub(crate) fn is_known(position: &Position) -> bool {
    endgame::knows(position)
}

/// The value of a position that stands alone, for the side to move: as a search has it from
/// `Evaluator`, which is quicker along a line.
#[must_use]
fn value(position: &Position, network: &Network) -> i32 {
    endgame::value(position).unwrap_or_else(|| network.evaluate_from_scratch(position))
}

/// Values positions along a line of moves.
#[derive(Debug)]
pub(crate) struct Evaluator {
    accumulators: AccumulatorStack,
}

impl Evaluator {
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        let network = Arc::clone(network);
        Self {
            accumulators: AccumulatorStack::new(network, Simd::best(), MAX_PLY),
        }
    }

    /// A line begins at some position.
    pub(crate) fn start(&mut self, root: &Position) {
        self.accumulators.reset(root);
    }

    /// A move is played on the position at a ply.
    #[inline]
    pub(crate) fn make_move(&mut self, position: &Position, mv: Move, ply: usize) {
        self.accumulators.make_move(position, mv, ply);
    }

    /// The turn is passed at a ply.
    pub(crate) fn make_null(&mut self, ply: usize) {
        self.accumulators.make_null(ply);
    }

    /// The value for the side to move of the position at a ply.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        if let Some(known) = endgame::value(position) {
            return known;
        }
        let value = self.accumulators.evaluate(position, ply);
        #[cfg(test)]
        assert_eq!(
            value,
            self.accumulators.network().evaluate_from_scratch(position)
        );
        value
    }
}
