//! The opening book of a session.

use std::io::Write;
use std::path::{Path, PathBuf};

use movegen::{Move, Position};
use search::Limits;
use thiserror::Error;

use super::Session;
use game::polyglot::{Book, BookError, BookMove, BookMoves, Choice, key, passed_square};
use game::seed::GameSeed;

/// Why a `BookFile` cannot be used.
#[derive(Debug, Error)]
#[error("cannot use '{}' as BookFile: {source}; the previous book, if any, is kept", path.display())]
pub(super) struct BookFileError {
    path: PathBuf,
    source: BookError,
}

#[derive(Debug, Default)]
pub(super) struct OpeningBook {
    file: Option<Book>,
    seed: GameSeed,
    /// Illegal moves in the book have been reported.
    warned: bool,
}

impl OpeningBook {
    pub(super) fn open(&mut self, path: Option<&Path>) -> Result<(), BookFileError> {
        let opened = path.map(|path| {
            Book::open(path).map_err(|source| BookFileError {
                path: path.to_owned(),
                source,
            })
        });
        self.file = opened.transpose()?;
        self.warned = false;
        Ok(())
    }

    pub(super) fn set_seed(&mut self, seed: u32) {
        self.seed = GameSeed::new(seed);
    }

    pub(super) fn next_game(&mut self) {
        self.seed.next_game();
    }
}

impl<W: Write + Send + 'static> Session<W> {
    /// The book's move, if it is used here and has one.
    pub(super) fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        let position = self.position.game.position();
        if !self.uses_book(position, limits) {
            return None;
        }
        let key = key(
            position,
            passed_square(&self.position.game, self.position.initial_en_passant),
        );
        let mut found = match self.book.file.as_mut()?.find(position, key) {
            Ok(found) => found,
            Err(error) => {
                self.book.file = None;
                self.printer
                    .error(format_args!("closing the book file: {error}"));
                return None;
            }
        };
        self.warn_of_illegal(&found.illegal);
        let allowed = &limits.search_moves;
        found
            .moves
            .retain(|known| allowed.is_empty() || allowed.contains(&known.mv));
        let choice = match self.config.book_best {
            true => Choice::Best,
            false => Choice::Weighted {
                seed: self.book.seed.get().into(),
            },
        };
        let picked = choice.pick(&found, key)?;
        self.announce(picked, &found, choice);
        Some(picked.mv)
    }

    /// In games, not in analysis: `go infinite`, `go mate` and `UCI_AnalyseMode` always search.
    fn uses_book(&self, position: &Position, limits: &Limits) -> bool {
        let config = &self.config;
        config.own_book
            && !config.analyse_mode
            && !limits.infinite
            && limits.mate.is_none()
            && u32::from(position.fullmove_number()) <= config.book_depth
    }

    fn warn_of_illegal(&mut self, illegal: &[String]) {
        if illegal.is_empty() || self.book.warned {
            return;
        }
        self.book.warned = true;
        let fen = self.position.game.position().fen();
        self.printer.error(format_args!(
            "ignoring illegal book moves in {fen}: {}; further ones are ignored silently",
            list(illegal),
        ));
    }

    fn announce(&mut self, picked: BookMove, found: &BookMoves, choice: Choice) {
        let seed = match choice {
            Choice::Best => String::new(),
            Choice::Weighted { .. } => format!(", seed {}", self.book.seed.take()),
        };
        self.printer.line(format_args!(
            "info string book move {}, weight {} of {}{seed}",
            picked.mv.uci(self.notation()),
            picked.weight,
            found.total(),
        ));
    }
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
