//! The opening book, which engines may share, and the choice of its moves.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use formats::polyglot::{Book, BookError, BookMove, BookMoves, Choice, key, passed_square};
use movegen::{Game, Square};
use thiserror::Error;

use crate::seed::GameSeed;

#[derive(Debug, Error)]
#[error("cannot use the book '{}': {source}", path.display())]
pub struct BookFileError {
    path: PathBuf,
    source: BookError,
}

/// Reason why a book, or some of its moves, are no longer used.
#[derive(Debug, Error)]
pub enum BookProblem {
    #[error("closing the book file: {0}")]
    Closed(#[from] BookError),
    #[error(
        "ignoring illegal book moves in {fen}: {}; further ones are ignored silently",
        list(moves)
    )]
    Illegal { fen: String, moves: Vec<String> },
}

/// The longest list of moves that a message contains.
const MAX_LISTED: usize = 5;

fn list(moves: &[String]) -> String {
    match moves.get(..MAX_LISTED) {
        Some(first) if moves.len() > MAX_LISTED => {
            format!("{} and {} more", first.join(" "), moves.len() - MAX_LISTED)
        }
        _ => moves.join(" "),
    }
}

/// A book move that is played.
#[derive(Debug)]
pub struct PickedMove {
    pub known: BookMove,
    /// The weight of all moves.
    pub total: u64,
    /// The seed of a random choice.
    pub seed: Option<u32>,
}

/// The book of an engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpeningBook {
    file: Option<Arc<Mutex<Book>>>,
    pub(crate) seed: GameSeed,
    /// Illegal moves in the book have been reported.
    warned: bool,
}

impl OpeningBook {
    pub(crate) fn open(&mut self, path: Option<&Path>) -> Result<(), BookFileError> {
        let opened = path.map(|path| {
            Book::open(path).map_err(|source| BookFileError {
                path: path.to_owned(),
                source,
            })
        });
        self.file = opened.transpose()?.map(|book| Arc::new(Mutex::new(book)));
        self.warned = false;
        Ok(())
    }

    /// The moves of a game's position and its key; `None` without a book.
    pub(crate) fn find(
        &self,
        game: &Game,
        initial_en_passant: Option<Square>,
    ) -> Option<Result<(BookMoves, u64), BookError>> {
        let position = game.position();
        let key = key(position, passed_square(game, initial_en_passant));
        let book = self.file.as_ref()?.lock();
        let mut book = book.unwrap_or_else(PoisonError::into_inner);
        Some(book.find(position, key).map(|found| (found, key)))
    }

    /// Chooses one of the moves that are `allowed`. A book that can no longer be read is closed.
    pub(crate) fn pick(
        &mut self,
        game: &Game,
        initial_en_passant: Option<Square>,
        best: bool,
        allowed: impl Fn(&BookMove) -> bool,
        problems: &mut Vec<BookProblem>,
    ) -> Option<PickedMove> {
        let (mut found, key) = match self.find(game, initial_en_passant)? {
            Ok(found) => found,
            Err(error) => {
                self.file = None;
                problems.push(error.into());
                return None;
            }
        };
        if !found.illegal.is_empty() && !self.warned {
            self.warned = true;
            problems.push(BookProblem::Illegal {
                fen: game.position().fen(),
                moves: std::mem::take(&mut found.illegal),
            });
        }
        found.moves.retain(allowed);
        let choice = if best {
            Choice::Best
        } else {
            Choice::Weighted {
                seed: self.seed.get().into(),
            }
        };
        Some(PickedMove {
            known: choice.pick(&found, key)?,
            total: found.total(),
            seed: (!best).then(|| self.seed.take()),
        })
    }
}
