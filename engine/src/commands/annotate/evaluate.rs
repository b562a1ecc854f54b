//! Evaluates the positions of games, in chunks small enough that a single game keeps several
//! jobs busy.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;
use movegen::{Color, Game, Move, Position, Variant};
use search::{Score, Searcher, Stop, chances};

use crate::commands::games::InputGames;
use crate::commands::input::ReadError;
use crate::commands::search_args::SearchSetup;
use crate::formats::pgn::{Eval, Games, Record};
use crate::output::progress;

/// The number of positions in a chunk.
const CHUNK_POSITIONS: usize = 8;

/// A game and its number among all games, including invalid ones.
#[derive(Debug, Clone)]
pub(super) struct NumberedGame {
    pub(super) number: u64,
    pub(super) record: Record,
}

/// Counts the positions of the valid games; `None` if the input can be read only once.
pub(super) fn count_positions(paths: &[PathBuf], variant: Variant) -> Option<u64> {
    if paths.is_empty() || !paths.iter().all(|path| path.is_file()) {
        return None;
    }
    let bar = progress::bytes(paths);
    let mut positions = 0;
    for path in paths {
        let input = BufReader::with_capacity(1 << 16, bar.wrap_read(File::open(path).ok()?));
        let mut games = Games::annotated(input, variant);
        while let Some(game) = games.next_game().ok()? {
            positions += game.map_or(0, |record| record.moves().len() as u64 + 1);
        }
    }
    bar.finish_and_clear();
    Some(positions)
}

/// Successive positions of a game; position 0 is before the first move.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) game: Arc<NumberedGame>,
    start: usize,
    /// Exclusive.
    end: usize,
}

impl Chunk {
    pub(super) fn is_last(&self) -> bool {
        self.end > self.game.record.moves().len()
    }
}

pub(super) struct GameChunks {
    pub(super) games: InputGames,
    /// The game that is being split, and the start of its next chunk.
    current: Option<(Arc<NumberedGame>, usize)>,
}

impl GameChunks {
    pub(super) fn new(games: InputGames) -> GameChunks {
        GameChunks {
            games,
            current: None,
        }
    }

    pub(super) fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        let (game, start) = match self.current.take() {
            Some(current) => current,
            None => match self.games.next_game()? {
                Some(record) => {
                    let number = self.games.count().total;
                    (Arc::new(NumberedGame { number, record }), 0)
                }
                None => return Ok(None),
            },
        };
        let positions = game.record.moves().len() + 1;
        let end = positions.min(start + CHUNK_POSITIONS);
        if end < positions {
            self.current = Some((Arc::clone(&game), end));
        }
        Ok(Some(Chunk { game, start, end }))
    }
}

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
pub(super) fn evaluate(
    searcher: &mut Searcher,
    setup: &SearchSetup,
    chunk: &Chunk,
    bar: &ProgressBar,
) -> Vec<Evaluation> {
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
        evaluations.push(evaluate_position(searcher, setup, &game));
        bar.inc(1);
        game.undo();
    }
    evaluations.reverse();
    evaluations
}

fn evaluate_position(searcher: &mut Searcher, setup: &SearchSetup, game: &Game) -> Evaluation {
    let position = game.position();
    let outcome = searcher.search(game, &setup.options(1), &Stop::new(), &mut ());
    let eval = Eval::for_white(outcome.score, position);
    Evaluation {
        eval: (eval != Eval::Mate(0)).then_some(eval),
        expectation: white_expectation(outcome.score, position),
        line: outcome.pv().to_vec(),
    }
}

/// Returns the points White can expect, from 0 to 1, given a score for the side to move.
fn white_expectation(score: Score, position: &Position) -> f64 {
    let chances = chances(score, position);
    let side_to_move = (f64::from(chances.win) + f64::from(chances.draw) / 2.0) / 1000.0;
    match position.side_to_move() {
        Color::White => side_to_move,
        Color::Black => 1.0 - side_to_move,
    }
}
