//! The opening book in a session: when it is asked, and how its chance goes on from game to
//! game.

use std::io::Write;
use std::path::{Path, PathBuf};

use movegen::{Move, Position};
use search::Limits;
use thiserror::Error;

use super::Session;
use crate::chance::Seed;
use crate::formats::polyglot::{Book, BookError, BookMove, BookMoves, Choice, key, passed_square};

/// Why `BookFile` was refused. The book that was there is used on.
#[derive(Debug, Error)]
#[error("cannot use '{}' as the book: {source}; {}", path.display(), what_stands(*.had_one))]
pub(super) struct BookFileError {
    path: PathBuf,
    source: BookError,
    had_one: bool,
}

fn what_stands(had_one: bool) -> &'static str {
    match had_one {
        true => "the book before it stays",
        false => "there is still no book",
    }
}

#[derive(Debug, Default)]
pub(super) struct OpeningBook {
    file: Option<Book>,
    seed: Seed,
    /// It was said that the book has illegal moves.
    complained: bool,
}

impl OpeningBook {
    pub(super) fn open(&mut self, path: Option<&Path>) -> Result<(), BookFileError> {
        let opened = path.map(|path| {
            Book::open(path).map_err(|source| BookFileError {
                path: path.to_owned(),
                source,
                had_one: self.file.is_some(),
            })
        });
        self.file = opened.transpose()?;
        self.complained = false;
        Ok(())
    }

    pub(super) fn set_seed(&mut self, seed: u32) {
        self.seed = Seed::new(seed);
    }

    pub(super) fn next_game(&mut self) {
        self.seed.next_game();
    }
}

impl<W: Write + Send + 'static> Session<W> {
    /// The book's answer, if it is to be asked and has one.
    pub(super) fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        let position = self.position.game.position();
        if !self.wants_a_book_move(position, limits) {
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
                let said = format!("the book is closed: {error}");
                self.printer.error(said);
                return None;
            }
        };
        self.complain_of(&found.illegal);
        let allowed = &limits.search_moves;
        found
            .moves
            .retain(|known| allowed.is_empty() || allowed.contains(&known.mv));
        let choice = match self.config.book_best {
            true => Choice::Best,
            false => Choice::Weighted {
                seed: self.book.seed.present().into(),
            },
        };
        let picked = choice.pick(&found, key)?;
        self.announce(picked, &found, choice);
        Some(picked.mv)
    }

    /// In a game, not in analysis: whoever asks without an end or for a mate wants to know
    /// what a search thinks.
    fn wants_a_book_move(&self, position: &Position, limits: &Limits) -> bool {
        let config = &self.config;
        config.own_book
            && !config.analyse_mode
            && !limits.infinite
            && limits.mate.is_none()
            && u32::from(position.fullmove_number()) <= config.book_depth
    }

    fn complain_of(&mut self, illegal: &[String]) {
        if illegal.is_empty() || self.book.complained {
            return;
        }
        self.book.complained = true;
        let fen = self.position.game.position().fen();
        self.printer.error(format_args!(
            "the book's {} not legal in {fen}; such moves are passed over, and no more is said \
             of them",
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

/// The longest list of moves that is spelt out.
const SHOWN_MOVES: usize = 5;

fn list(moves: &[String]) -> String {
    match moves {
        [mv] => format!("{mv} is"),
        _ if moves.len() <= SHOWN_MOVES => format!("{} are", moves.join(" ")),
        _ => format!(
            "{} and {} more are",
            moves.get(..SHOWN_MOVES).unwrap_or_default().join(" "),
            moves.len() - SHOWN_MOVES
        ),
    }
}
