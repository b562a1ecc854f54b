//! Games written down as PGN, read one after the other: a file of any size costs the memory of
//! one game, and a broken game is told of and costs no other.
//!
//! `split` finds where a game begins and ends, so that nothing in one can swallow the next;
//! `words` looks at its movetext for what the grammar would pass over in silence; the grammar
//! is `pgn-reader`'s, and the rules are `movegen`'s.

mod read;
mod split;
mod words;

use std::io::{self, BufRead};

use movegen::{Color, FenError, Move, Position, SanError, Square};
use thiserror::Error;

use split::Splitter;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Score {
    Won(Color),
    Drawn,
    /// Broken off, or nobody wrote it down.
    Unknown,
}

/// A game as far as it was to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) start: Position,
    /// The square a pawn has passed over to reach the start, as the FEN says.
    pub(crate) passed_at_start: Option<Square>,
    pub(crate) moves: Vec<Move>,
    pub(crate) score: Score,
}

/// A game that is not to be trusted: which, where, and what is wrong with it.
#[derive(Debug, Error)]
#[error("game {number}, which begins in line {line}: {fault}")]
pub(crate) struct BrokenGame {
    number: u64,
    line: u64,
    fault: Fault,
}

/// What is wrong with a game.
#[derive(Debug, Error)]
enum Fault {
    #[error("it, or one line of it, is longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("the comment opened in line {line} is not closed by a '}}'")]
    OpenComment { line: u64 },
    #[error("a variation is not closed by a ')'")]
    OpenVariation,
    #[error("line {line}: '{word}' is no move; expected something like e4, Nf3, exd5, e8=Q or O-O")]
    Word { line: u64, word: String },
    #[error("line {line}, move {number}: {source}")]
    Move {
        line: u64,
        /// As people count: `12.` or `12...`.
        number: String,
        source: SanError,
    },
    #[error("the tag FEN: {0}")]
    Fen(#[from] FenError),
    #[error("the tag Variant: '{0}' is another game than chess or Chess960")]
    Variant(String),
    #[error("it cannot be taken apart: {0}")]
    Grammar(io::Error),
}

/// The games of one text.
#[derive(Debug)]
pub(crate) struct Games<R> {
    splitter: Splitter<R>,
    plies: usize,
}

impl<R: BufRead> Games<R> {
    /// Reads no more than the first so many plies of each game.
    pub(crate) fn new(input: R, plies: usize) -> Games<R> {
        Games {
            splitter: Splitter::new(input),
            plies,
        }
    }

    /// The next game, or what is wrong with it; fails when the input does.
    pub(crate) fn next_game(&mut self) -> io::Result<Option<Result<Record, BrokenGame>>> {
        let Some(text) = self.splitter.next_text()? else {
            return Ok(None);
        };
        let (number, line) = (text.number, text.first_line);
        let broken = |fault| BrokenGame {
            number,
            line,
            fault,
        };
        Ok(Some(read::read(text, self.plies).map_err(broken)))
    }
}

#[cfg(test)]
mod tests;
