//! A score as people read it: for White, in pawns or as a mate.

use movegen::{Color, Position};
use search::{Score, centipawns, chances};

use crate::formats::pgn::Eval;

/// A score of the side to move, for White.
pub(crate) fn eval(score: Score, position: &Position) -> Eval {
    let sign = match position.side_to_move() {
        Color::White => 1,
        Color::Black => -1,
    };
    match score.mate_distance() {
        Some(moves) => Eval::Mate(sign * moves),
        None => Eval::Centipawns(sign * centipawns(score, position)),
    }
}

/// The points White can expect, from 0 to 1.
pub(crate) fn expectation(score: Score, position: &Position) -> f64 {
    let chances = chances(score, position);
    let mover = (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0;
    match position.side_to_move() {
        Color::White => mover,
        Color::Black => 1.0 - mover,
    }
}
