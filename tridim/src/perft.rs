//! Counting the leaves of the tree of legal moves.

use crate::mv::Move;
use crate::position::Position;
use rayon::prelude::*;

/// Number of leaves `depth` plies below a position. The choice for a pawn that waited is a
/// ply of its own.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    let moves = match depth {
        0 => return 1,
        _ => position.legal_moves(),
    };
    match depth {
        1 => moves.len() as u64,
        _ => moves
            .into_iter()
            .map(|mv| perft(&position.play_unchecked(mv), depth - 1))
            .sum(),
    }
}

/// The root moves, each with the leaves below it, over the threads of rayon's current pool.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = depth.saturating_sub(1);
    position
        .legal_moves()
        .into_par_iter()
        .map(|mv| (mv, perft(&position.play_unchecked(mv), below)))
        .collect()
}
