//! PGN: reading games one after the other, in the memory of one game, and writing them.
//!
//! `read` finds the end of each game while it plays its moves, so that a broken game cannot swallow
//! the next; `word` tells moves from other words. `record` is a game in memory, `write` turns it
//! into text.

mod read;
mod record;
mod word;
mod write;

use std::io::{self, BufRead};

use common::input::{InputError, LineReader, is_utf16};
use movegen::{FenError, SanError, Variant};
use thiserror::Error;

use read::{EVENT_TAG, GameReader};

pub use read::{MAX_DEPTH, NULL_MOVE, decode};
pub use record::{
    ACCURACY_TAGS, Comment, DERIVED_TAGS, Eval, GameResult, MoveNode, Nag, Record, Tags, Variation,
    after, san,
};
pub use write::is_tag_name;

/// An invalid game, where it is and what is wrong with it.
#[derive(Debug, Error)]
#[error("game {number}, line {}{error}", self.line())]
pub struct InvalidGame {
    /// The game up to an invalid move, with the error as its last comment, if it has moves and
    /// annotations are read.
    pub part: Option<Box<Record>>,
    number: u64,
    /// The line on which the game begins.
    line: u64,
    error: PgnError,
}

impl InvalidGame {
    /// The line of the fault, or that on which the game begins.
    pub fn line(&self) -> u64 {
        self.error.line().unwrap_or(self.line)
    }

    /// The fault of the game.
    pub fn reason(&self) -> String {
        let text = self.error.to_string();
        text.trim_start_matches([':', ',', ' ']).to_owned()
    }
}

/// The problem, after the number of the line.
#[derive(Debug, Error)]
enum PgnError {
    #[error(": the game or one of its lines is longer than {limit} bytes")]
    TooLong { limit: usize },
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
}

/// The reason a move of a game cannot be played.
#[derive(Debug, Error)]
enum MoveError {
    #[error(transparent)]
    San(#[from] SanError),
    #[error("illegal move '--': the side to move is in check")]
    NullInCheck,
}

impl PgnError {
    /// The line of the fault, if it is known.
    fn line(&self) -> Option<u64> {
        match self {
            Self::UnclosedComment { line } | Self::Word { line, .. } | Self::Move { line, .. } => {
                Some(*line)
            }
            _ => None,
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The games of a PGN file.
#[derive(Debug)]
pub struct Games<R> {
    lines: LineReader<R>,
    /// The variant of games without a `Variant` tag.
    variant: Option<Variant>,
    games: u64,
    /// The bytes before the last line read.
    bytes: u64,
    /// The last line read and its number.
    line: Vec<u8>,
    line_number: u64,
    is_too_long: bool,
    /// The last line belongs to no game so far.
    is_pending: bool,
}

impl<R: BufRead> Games<R> {
    pub fn new(input: R, variant: Option<Variant>) -> Self {
        Self {
            lines: LineReader::new(input),
            variant,
            games: 0,
            bytes: 0,
            line: Vec::new(),
            line_number: 0,
            is_too_long: false,
            is_pending: false,
        }
    }

    /// Returns the next game; fails when the input cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<Result<Record, InvalidGame>>> {
        while !self.is_pending || self.is_between_games() {
            self.is_pending = self.read_line(false)?;
            if !self.is_pending {
                return Ok(None);
            }
        }
        self.games += 1;
        let (number, line) = (self.games, self.line_number);
        let mut game = GameReader::new(self.variant);
        game.add(self.line(), line);
        loop {
            self.is_pending = self.read_line(game.in_comment())?;
            if !self.is_pending || game.ends_before(self.line().unwrap_or_default()) {
                break;
            }
            game.add(self.line(), self.line_number);
        }
        if !self.is_pending && game.has_only_comments() {
            self.games -= 1;
            return Ok(None);
        }
        Ok(Some(game.finish().map_err(|(error, part)| InvalidGame {
            part,
            number,
            line,
            error,
        })))
    }

    /// Continues a file after this many games and lines.
    #[must_use]
    pub fn after(mut self, games: u64, lines: u64) -> Self {
        (self.games, self.line_number) = (games, lines);
        self
    }

    /// The games returned, and the lines before the next one; `None` at the end of the input, where
    /// the last game may lack its end.
    pub fn counts(&self) -> Option<(u64, u64)> {
        let lines = self.line_number.checked_sub(1);
        self.is_pending.then_some(self.games).zip(lines)
    }

    /// The bytes up to the end of the last game that was returned.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// True if the last line is blank or an escape.
    fn is_between_games(&self) -> bool {
        self.line()
            .is_some_and(|line| line.is_empty() || line.starts_with(b"%"))
    }

    /// The last line without surrounding white space; `None` if it was too long.
    fn line(&self) -> Option<&[u8]> {
        (!self.is_too_long).then(|| self.line.trim_ascii())
    }

    /// True if there is another line.
    fn read_line(&mut self, in_comment: bool) -> io::Result<bool> {
        self.bytes = self.lines.consumed();
        self.line_number += 1;
        self.is_too_long = false;
        match self.lines.read_line(&mut self.line) {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(InputError::Read(error)) => return Err(error),
            Err(_) => {
                self.is_too_long = true;
                self.line.clear();
            }
        }
        if self.line_number == 1 && is_utf16(&self.line) {
            return Err(io::Error::other(InputError::Utf16));
        }
        // Also between files that have been joined, but not in the text of a comment.
        if let Some(rest) = self.line.strip_prefix(BYTE_ORDER_MARK)
            && (!in_comment || rest.starts_with(EVENT_TAG))
        {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
