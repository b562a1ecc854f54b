//! Evaluates the positions of a game.

use movegen::{Game, Move, Position};
use search::{Limits, Score, SearchOptions, Searcher, Stop};

use super::games::Chunk;
use crate::formats::pgn::Eval;
use crate::judgement;

/// The result of the search in a position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evaluation {
    /// `None` in checkmate.
    pub(super) eval: Option<Eval>,
    /// White's expected score, from 0 to 1.
    pub(super) expectation: f64,
    /// The principal variation.
    pub(super) line: Vec<Move>,
}

/// Returns the evaluations of a chunk's positions, in their order.
///
/// The last position is searched first, so that its hash entries help with the ones before. The
/// searcher forgets everything else, so that the result does not depend on which job does it.
pub(super) fn evaluate(searcher: &mut Searcher, limits: &Limits, chunk: &Chunk) -> Vec<Evaluation> {
    let record = &chunk.game.record;
    let mut game = Game::new(record.start);
    for mv in record.moves().take(chunk.end.saturating_sub(1)) {
        if game.push(mv).is_err() {
            // The reader accepts only legal moves.
            break;
        }
    }
    searcher.new_game();
    let mut evaluations = Vec::with_capacity(chunk.end - chunk.start);
    for _ in chunk.start..chunk.end {
        evaluations.push(evaluate_position(searcher, limits, &game));
        game.undo();
    }
    evaluations.reverse();
    evaluations
}

fn evaluate_position(searcher: &mut Searcher, limits: &Limits, game: &Game) -> Evaluation {
    let position = game.position();
    let options = SearchOptions::new(limits.clone());
    let outcome = searcher.search(game, &options, &Stop::new(), &mut ());
    if outcome.best_move.is_none() {
        return game_over(position);
    }
    Evaluation {
        eval: Some(judgement::eval(outcome.score, position)),
        expectation: judgement::expectation(outcome.score, position),
        line: outcome.pv().to_vec(),
    }
}

/// The evaluation of a position without legal moves.
fn game_over(position: &Position) -> Evaluation {
    let (eval, score) = match position.in_check() {
        true => (None, Score::mated_in(0)),
        false => (Some(Eval::Centipawns(0)), Score::DRAW),
    };
    Evaluation {
        eval,
        expectation: judgement::expectation(score, position),
        line: Vec::new(),
    }
}
