//! What a position is worth before anything is played: what is known of bare endings, and
//! otherwise the opinion of a network.
//!
//! Owns every opinion about standing positions. It knows nothing of searching: one position
//! in, one number out, in the network's units, the same for both colours and both wings.

mod endings;
mod evaluator;
mod picture;
#[cfg(test)]
mod tests;

pub(crate) use evaluator::Evaluator;
pub use picture::{Picture, picture};

use crate::net::Network;
use movegen::Position;

/// The value of a position is known and not an opinion, though it may be no more than how far a
/// hunt has come: nothing a search learns of like positions or of the clock makes it better.
#[inline]
pub(crate) fn is_known(position: &Position) -> bool {
    endings::knows(position)
}

/// The value of a position that stands alone, for the side to move: as a search has it from
/// `Evaluator`, which is quicker along a line.
#[must_use]
fn value(position: &Position, network: &Network) -> i32 {
    endings::value(position).unwrap_or_else(|| network.value_from_scratch(position))
}
