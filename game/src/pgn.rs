//! PGN: reading games one after the other, in the memory of one game, and writing them.
//!
//! `scan` finds where each game begins and ends, so that a broken game cannot swallow the next; `word`
//! rewrites or rejects words that the grammar would silently skip; the grammar itself is
//! `pgn-reader`'s, and `movegen` checks the moves. `record` is a game in memory, `write` turns it into text.

mod read;
mod record;
mod scan;
mod word;
mod write;

use std::io::{self, BufRead};

use movegen::{FenError, SanError, Variant};
use thiserror::Error;

use read::Scope;
use scan::GameScanner;

pub use read::MAX_DEPTH;
pub use record::{
    Comment, Eval, GameResult, MoveNode, Nag, Record, Tags, Variation, format_clock, today,
};

/// An invalid game, where it is and what is wrong with it.
#[derive(Debug, Error)]
#[error("game {number}, line {}{error}", error.line().unwrap_or(*line))]
pub struct InvalidGame {
    number: u64,
    /// Where the game begins.
    line: u64,
    error: PgnError,
}

/// What is wrong, after the number of the line.
#[derive(Debug, Error)]
enum PgnError {
    #[error(": the game or one of its lines is longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error(": the tag is longer than {limit} bytes")]
    TagTooLong { line: u64, limit: usize },
    #[error(": the comment is not closed: expected '}}'")]
    UnclosedComment { line: u64 },
    #[error(": a variation is not closed: expected ')'")]
    UnclosedVariation,
    #[error(": invalid move '{word}'; expected e4, Nf3, exd5, e8=Q or O-O")]
    Word { line: u64, word: String },
    #[error(", move {number}: {source}")]
    Move {
        line: u64,
        /// `12.` or `12...`.
        number: String,
        source: MoveError,
    },
    #[error(": FEN tag: {0}")]
    Fen(#[from] FenError),
    #[error(": Variant tag: '{0}' is neither standard chess nor Chess960")]
    Variant(String),
    #[error(": variations are nested more than {limit} deep")]
    TooDeep { limit: usize },
    #[error(": syntax error: {0}")]
    Syntax(io::Error),
}

/// Why a move of a game cannot be played.
#[derive(Debug, Error)]
enum MoveError {
    #[error(transparent)]
    San(#[from] SanError),
    #[error("illegal move '--': null moves are not supported")]
    Null,
}

impl PgnError {
    /// The line of the fault, if it is known.
    fn line(&self) -> Option<u64> {
        match self {
            PgnError::TagTooLong { line, .. }
            | PgnError::UnclosedComment { line }
            | PgnError::Word { line, .. }
            | PgnError::Move { line, .. } => Some(*line),
            _ => None,
        }
    }
}

/// The games of a PGN file.
#[derive(Debug)]
pub struct Games<R> {
    scanner: GameScanner<R>,
    scope: Scope,
    /// The variant of games without a `Variant` tag.
    variant: Variant,
}

impl<R: BufRead> Games<R> {
    /// Reads the first plies of each main line, and no annotations.
    pub fn new(input: R, plies: usize) -> Games<R> {
        Games {
            scanner: GameScanner::new(input),
            scope: Scope::Moves(plies),
            variant: Variant::Standard,
        }
    }

    /// Reads whole games with comments, NAGs and variations.
    pub fn annotated(input: R, variant: Variant) -> Games<R> {
        Games {
            scanner: GameScanner::new(input),
            scope: Scope::Everything,
            variant,
        }
    }

    /// Returns the next game; fails when the input cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<Result<Record, InvalidGame>>> {
        let Some(text) = self.scanner.next_text()? else {
            return Ok(None);
        };
        let (number, line) = (text.number, text.first_line);
        let game = read::read(text, self.scope, self.variant);
        Ok(Some(game.map_err(|error| InvalidGame {
            number,
            line,
            error,
        })))
    }
}

#[cfg(test)]
mod tests;
