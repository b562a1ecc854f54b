//! Positions as the input of a command, one per line: from arguments, a file or standard input.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use common::input::{InputError, LineReader};
use movegen::{FenError, Game, Position, Variant};
use thiserror::Error;

use crate::formats::epd::{EpdError, EpdLine};
use crate::uci::position::{PositionError, UciPosition};

/// A line of the input, which may be invalid.
pub(crate) struct InputLine {
    /// From 1; blank lines and comments count.
    pub(crate) number: u64,
    text: Result<String, InputError>,
}

/// How many lines were read and how many of them are invalid.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LineCount {
    total: u64,
    invalid: u64,
    first_invalid: Option<u64>,
}

#[derive(Debug, Error)]
#[error("invalid positions: {invalid} of {total}, the first in line {first}")]
pub(crate) struct InvalidLines {
    invalid: u64,
    total: u64,
    first: u64,
}

impl LineCount {
    pub(crate) fn add(&mut self, line: u64, is_valid: bool) {
        self.total += 1;
        if !is_valid {
            self.invalid += 1;
            self.first_invalid.get_or_insert(line);
        }
    }

    pub(crate) fn check(&self) -> Result<(), InvalidLines> {
        let (invalid, total) = (self.invalid, self.total);
        self.first_invalid.map_or(Ok(()), |first| {
            Err(InvalidLines {
                invalid,
                total,
                first,
            })
        })
    }
}

pub(crate) struct PositionRecord {
    pub(crate) id: Option<String>,
    pub(crate) game: Game,
}

#[derive(Debug, Error)]
#[error("cannot read '{}': {source}", path.display())]
pub(crate) struct OpenError {
    path: PathBuf,
    source: io::Error,
}

#[derive(Debug, Error)]
pub(crate) enum LineError {
    #[error("{0}")]
    Unreadable(String),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Epd(#[from] EpdError),
    #[error(transparent)]
    Fen(#[from] FenError),
}

impl InputLine {
    fn text(&self) -> Result<&str, LineError> {
        match &self.text {
            Ok(text) => Ok(text),
            Err(error) => Err(LineError::Unreadable(error.to_string())),
        }
    }

    pub(crate) fn parse(&self, variant: Variant) -> Result<PositionRecord, LineError> {
        let text = self.text()?;
        if is_uci_position(text) {
            let UciPosition { game, .. } = UciPosition::parse(text, variant)?;
            return Ok(PositionRecord { id: None, game });
        }
        let (line, position) = self.parse_epd(variant)?;
        Ok(PositionRecord {
            id: line.id(),
            game: Game::new(position),
        })
    }

    /// Parses a line of EPD, or a FEN.
    pub(crate) fn parse_epd(&self, variant: Variant) -> Result<(EpdLine, Position), LineError> {
        let line = EpdLine::parse(self.text()?)?;
        let position = Position::from_fen(&line.fen, variant)?;
        Ok((line, position))
    }
}

/// Whether a line has the form of UCI's `position` command rather than of EPD: it begins with
/// `startpos` or `fen`, or has `moves` behind the fields of a FEN.
fn is_uci_position(text: &str) -> bool {
    /// Side to move, castling rights and en passant, if given; the other fields are numbers.
    const FIELDS_BEHIND_BOARD: usize = 3;
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    if is(first, "startpos") || is(first, "fen") {
        return true;
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let behind = words
        .enumerate()
        .find(|&(at, word)| is(word, "moves") || at >= FIELDS_BEHIND_BOARD && !is_number(word));
    behind.is_some_and(|(_, word)| is(word, "moves"))
}

pub(crate) struct Positions {
    source: Source,
    number: u64,
}

enum Source {
    Arguments(VecDeque<String>),
    Stream(LineReader<Box<dyn BufRead + Send>>),
}

const BUFFER_BYTES: usize = 1 << 16;
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Positions {
    /// Opens the positions given as arguments, or else a file, or else standard input.
    pub(crate) fn open(arguments: &[String], file: Option<&Path>) -> Result<Positions, OpenError> {
        let source = match file {
            _ if !arguments.is_empty() => Source::Arguments(arguments.iter().cloned().collect()),
            Some(path) if path != Path::new("-") => {
                let file = open(path).map_err(|source| OpenError {
                    path: path.to_owned(),
                    source,
                })?;
                stream(file)
            }
            _ => stream(stdin()),
        };
        Ok(Positions { source, number: 0 })
    }

    /// Returns the next line that is neither blank nor a comment; fails when the input cannot be
    /// read.
    pub(crate) fn next_line(&mut self) -> Result<Option<InputLine>, InputError> {
        loop {
            let text = match &mut self.source {
                Source::Arguments(texts) => Ok(texts.pop_front()),
                Source::Stream(lines) => lines.next_line(),
            };
            let text = match text {
                Ok(None) => return Ok(None),
                Ok(Some(text)) => Ok(text.trim_start_matches(BYTE_ORDER_MARK).to_owned()),
                Err(error @ InputError::Read(_)) => return Err(error),
                Err(error) => Err(error),
            };
            self.number += 1;
            let is_skipped = |text: &String| text.trim().is_empty() || text.starts_with('#');
            if !text.as_ref().is_ok_and(is_skipped) {
                let number = self.number;
                return Ok(Some(InputLine { number, text }));
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(file)
}

fn stream(input: impl Read + Send + 'static) -> Source {
    let reader = BufReader::with_capacity(BUFFER_BYTES, input);
    Source::Stream(LineReader::new(Box::new(reader)))
}
