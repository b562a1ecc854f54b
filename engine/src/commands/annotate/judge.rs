//! What positions are worth. From the end of a piece to its front, so that what is found of a
//! position helps with the one before; and nothing is remembered from piece to piece, so that
//! it does not matter which job does which.

use movegen::{Game, Move, Position};
use search::{Limits, Score, SearchOptions, Searcher, Stop};

use super::source::Piece;
use crate::formats::pgn::Eval;
use crate::judgement;

/// A position's value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    /// There is none once a king is mated.
    pub(super) eval: Option<Eval>,
    /// The points White can expect.
    pub(super) expectation: f64,
    /// What is best, and what would follow.
    pub(super) line: Vec<Move>,
}

impl Judgement {
    /// Of a position without a legal move.
    fn at_the_end(position: &Position) -> Judgement {
        let (eval, score) = match position.in_check() {
            true => (None, Score::mated_in(0)),
            false => (Some(Eval::Centipawns(0)), Score::DRAW),
        };
        Judgement {
            eval,
            expectation: judgement::expectation(score, position),
            line: Vec::new(),
        }
    }
}

pub(super) struct Judge {
    searcher: Searcher,
    limits: Limits,
}

impl Judge {
    pub(super) fn new(searcher: Searcher, limits: Limits) -> Judge {
        Judge { searcher, limits }
    }

    /// The values of a piece's positions, the first one first.
    pub(super) fn judge(&mut self, piece: &Piece) -> Vec<Judgement> {
        let record = &piece.game.record;
        let mut game = Game::new(record.start);
        let last = piece.to.saturating_sub(1);
        for mv in record.moves().take(last) {
            if game.push(mv).is_err() {
                // The reader lets nothing through that is not legal.
                break;
            }
        }
        self.searcher.new_game();
        let mut judged = Vec::with_capacity(piece.to - piece.from);
        for _ in piece.from..piece.to {
            judged.push(self.judge_present(&game));
            game.undo();
        }
        judged.reverse();
        judged
    }

    fn judge_present(&mut self, game: &Game) -> Judgement {
        let position = game.position();
        let options = SearchOptions::new(self.limits.clone());
        let outcome = self.searcher.search(game, &options, &Stop::new(), &mut ());
        match outcome.best_move {
            None => Judgement::at_the_end(position),
            Some(_) => Judgement {
                eval: Some(judgement::eval(outcome.score, position)),
                expectation: judgement::expectation(outcome.score, position),
                line: outcome.pv().to_vec(),
            },
        }
    }
}
