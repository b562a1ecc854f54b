//! Evaluates the positions of games, in chunks small enough that a single game keeps several
//! jobs busy.

use std::ops::ControlFlow;
use std::time::Instant;

use movegen::{Color, Game, Move, Position};
use search::{
    Score, SearchControl, SearchError, SearchOptions, SearchResult, Searcher, centipawns, chances,
};
use thiserror::Error;

use crate::parallel::{JobsError, ordered_map};
use formats::notation;
use formats::pgn::{Eval, Record};

/// The length at which a line is cut where it is shown.
pub const MAX_LINE_MOVES: usize = 10;

/// The number of positions in a chunk.
pub(super) const CHUNK_POSITIONS: usize = 8;

/// The result of the search in a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// `None` in checkmate.
    pub eval: Option<Eval>,
    /// White's expected score, from 0 to 1.
    pub expectation: f64,
    /// The principal variation.
    pub line: Vec<Move>,
}

impl Evaluation {
    pub fn new(found: &SearchResult, position: &Position) -> Self {
        let eval = eval_for_white(found.score, position);
        Self {
            eval: (eval != Eval::Mate(0)).then_some(eval),
            expectation: white_expectation(found.score, position),
            line: found.pv().to_vec(),
        }
    }

    /// That of a comment, without a line; `None` without one.
    pub fn of_eval(eval: Option<Eval>, position: &Position) -> Option<Self> {
        Some(Self {
            eval,
            expectation: expectation_of_eval(eval?, position),
            line: Vec::new(),
        })
    }
}

/// Converts a score for the side to move.
pub fn eval_for_white(score: Score, position: &Position) -> Eval {
    let sign = match position.side_to_move() {
        Color::White => 1,
        Color::Black => -1,
    };
    match score.mate_distance() {
        Some(moves) => Eval::Mate(sign * moves),
        None => Eval::Centipawns(sign * centipawns(score, position)),
    }
}

/// The reason a game could not be evaluated.
#[derive(Debug, Error)]
pub enum EvaluateError {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Jobs(#[from] JobsError),
}

/// Returns the end of the chunk of a game's positions that begins at `start`, exclusive. Position 0
/// is before the first move.
pub fn chunk_end(record: &Record, start: usize) -> usize {
    let positions = record.moves().len() + 1;
    positions.min(start + CHUNK_POSITIONS)
}

/// Returns the evaluations of a chunk's positions, in their order; `None` if it was stopped.
///
/// The last position is searched first, so that its hash entries help with the ones before. The
/// searcher forgets everything else, so that the result does not depend on which job does it.
/// `searched` is called after each position.
pub fn evaluate(
    searcher: &mut Searcher,
    options: &SearchOptions,
    record: &Record,
    chunk: impl DoubleEndedIterator<Item = usize> + Clone,
    stop: &SearchControl,
    searched: &impl Fn(),
) -> Option<Vec<Evaluation>> {
    let mut game = Game::new(record.start);
    for mv in record.moves().take(chunk.clone().next_back()?) {
        if game.push(mv).is_err() {
            // The reader accepts only legal moves.
            break;
        }
    }
    searcher.new_game();
    let mut evaluations = Vec::new();
    for ply in chunk.rev() {
        while game.moves().len() > ply {
            game.undo();
        }
        let options = SearchOptions {
            started: Instant::now(),
            ..options.clone()
        };
        let outcome = searcher.search(&game, &options, stop, &mut ());
        if stop.is_stopped() {
            return None;
        }
        evaluations.push(Evaluation::new(&outcome, game.position()));
        searched();
    }
    evaluations.reverse();
    Some(evaluations)
}

/// The evaluation of a game's positions, one more than it has moves, by several jobs.
#[derive(Debug)]
pub struct GameEvaluation<'a> {
    pub record: &'a Record,
    /// The number of positions that are evaluated already, in whole chunks.
    pub done: usize,
    pub jobs: usize,
    pub options: &'a SearchOptions,
    pub stop: &'a SearchControl,
}

impl GameEvaluation<'_> {
    /// Calls `searched` after each position, and `evaluated` with the evaluations of each chunk,
    /// in their order, until it is stopped. One job runs on the caller's stack, which should be
    /// `search::STACK_BYTES` large.
    pub fn run(
        &self,
        searcher: impl Fn() -> Result<Searcher, SearchError>,
        searched: impl Fn() + Sync,
        mut evaluated: impl FnMut(Vec<Evaluation>),
    ) -> Result<(), EvaluateError> {
        let mut start = self.done;
        let mut next = || {
            let chunk = start..chunk_end(self.record, start);
            start = chunk.end;
            (!chunk.is_empty()).then_some(chunk)
        };
        let evaluate = |searcher: &mut Searcher, chunk| {
            let (options, record) = (self.options, self.record);
            evaluate(searcher, options, record, chunk, self.stop, &searched)
        };
        let mut output = |evaluations: Option<Vec<Evaluation>>| match evaluations {
            Some(evaluations) => {
                evaluated(evaluations);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        if self.jobs <= 1 {
            let mut searcher = searcher()?;
            while let Some(chunk) = next()
                && output(evaluate(&mut searcher, chunk)).is_continue()
            {}
            return Ok(());
        }
        let (next, output) = (|| Ok(next()), |evaluations| Ok(output(evaluations)));
        ordered_map(self.jobs, next, || Ok(searcher()?), evaluate, output)
    }
}

/// Returns the moves of the principal variation, cut to the length that is shown.
pub(super) fn shown_moves(evaluation: &Evaluation, start: &Position) -> impl Iterator<Item = Move> {
    let moves = evaluation.line.iter().copied().take(MAX_LINE_MOVES);
    notation::legal_moves(start, moves).map(|(_, mv)| mv)
}

/// Returns the points White can expect, from 0 to 1, given a score for the side to move.
pub fn white_expectation(score: Score, position: &Position) -> f64 {
    let chances = chances(score, position);
    let side_to_move = (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0;
    match position.side_to_move() {
        Color::White => side_to_move,
        Color::Black => 1.0 - side_to_move,
    }
}

/// Returns the points White can expect, from 0 to 1, given an evaluation from a comment.
pub fn expectation_of_eval(eval: Eval, position: &Position) -> f64 {
    match eval {
        Eval::Mate(moves) => f64::from(u8::from(moves >= 0)),
        Eval::Centipawns(value) => {
            let value = match position.side_to_move() {
                Color::White => value,
                Color::Black => -value,
            };
            white_expectation(search::wdl::from_centipawns(value, position), position)
        }
    }
}
