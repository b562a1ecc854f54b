//! A search's value as people read it: for White, in pawns or as a mate. Knows no search.

use movegen::{Color, Position};
use search::{Score, centipawns};

use crate::pgn::Eval;

/// What a value for the side to move is for White.
pub(crate) fn eval(score: Score, position: &Position) -> Eval {
    let sign = match position.turn() {
        Color::White => 1,
        Color::Black => -1,
    };
    match score.mate_distance() {
        Some(moves) => Eval::Mate(sign * moves),
        None => Eval::Centipawns(sign * centipawns(score, position)),
    }
}
