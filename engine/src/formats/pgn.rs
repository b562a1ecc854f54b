//! Games written down as PGN, read one after the other: a file of any size costs the memory of
//! one game, and a broken game is told of and costs no other. And written: `record` is what both
//! sides speak of, `write` makes its text.
//!
//! `split` finds where a game begins and ends, so that nothing in one can swallow the next;
//! `words` looks at its movetext for what the grammar would pass over in silence; the grammar
//! is `pgn-reader`'s, and the rules are `movegen`'s.

pub(crate) mod date;
mod read;
mod record;
mod split;
mod words;
mod write;

use std::io::{self, BufRead};

use movegen::{FenError, SanError, Variant};
use thiserror::Error;

use read::Scope;
use split::Splitter;

#[cfg(test)]
pub(crate) use record::Comment;
pub(crate) use record::{Eval, Line, Mark, Record, Score, Step};

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
    #[error("its variations are nested more than {limit} deep")]
    TooDeep { limit: usize },
    #[error("it cannot be taken apart: {0}")]
    Grammar(io::Error),
}

/// The games of one text.
#[derive(Debug)]
pub(crate) struct Games<R> {
    splitter: Splitter<R>,
    scope: Scope,
    /// What games are that do not say.
    variant: Variant,
}

impl<R: BufRead> Games<R> {
    /// Reads no more than the first so many plies of each game, and nothing that is said of them.
    pub(crate) fn new(input: R, plies: usize) -> Games<R> {
        Games {
            splitter: Splitter::new(input),
            scope: Scope::Moves(plies),
            variant: Variant::Standard,
        }
    }

    /// Reads comments, marks and variations too; games that do not say what they are, are of this
    /// variant.
    pub(crate) fn with_notes(input: R, variant: Variant) -> Games<R> {
        Games {
            splitter: Splitter::new(input),
            scope: Scope::Everything,
            variant,
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
        Ok(Some(
            read::read(text, self.scope, self.variant).map_err(broken),
        ))
    }
}

#[cfg(test)]
mod tests;
