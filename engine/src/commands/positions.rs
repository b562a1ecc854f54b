//! Positions a line, from arguments, files or standard input: what the jobs of the shell read.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use movegen::{FenError, Game, Position, Variant};
use thiserror::Error;

use crate::formats::epd::{EpdError, EpdLine};
use crate::uci::position::{PositionError, UciPosition};
use common::input::{InputError, LineReader};

/// A line of the input, as it came.
pub(crate) struct Line {
    /// From 1, every line counted.
    pub(crate) number: u64,
    text: Result<String, InputError>,
}

/// What a line asks about.
pub(crate) struct Record {
    pub(crate) id: Option<String>,
    pub(crate) game: Game,
}

/// Why a file cannot be read.
#[derive(Debug, Error)]
#[error("cannot read '{}': {source}", path.display())]
pub(crate) struct OpenError {
    path: PathBuf,
    source: io::Error,
}

/// Why a line names no position.
#[derive(Debug, Error)]
pub(crate) enum LineError {
    #[error("{0}")]
    Unreadable(String),
    #[error(transparent)]
    Words(#[from] PositionError),
    #[error(transparent)]
    Epd(#[from] EpdError),
    #[error(transparent)]
    Fen(#[from] FenError),
}

impl Line {
    /// The line itself, if it is text.
    pub(crate) fn text(&self) -> Result<&str, LineError> {
        match &self.text {
            Ok(text) => Ok(text),
            Err(error) => Err(LineError::Unreadable(error.to_string())),
        }
    }

    pub(crate) fn read(&self, variant: Variant) -> Result<Record, LineError> {
        let text = self.text()?;
        if is_in_words(text) {
            let UciPosition { game, .. } = UciPosition::parse(text, variant)?;
            return Ok(Record { id: None, game });
        }
        let line = EpdLine::read(text)?;
        let position = Position::from_fen(&line.fen, variant)?;
        Ok(Record {
            id: line.operand("id").map(str::to_owned),
            game: Game::new(position),
        })
    }
}

/// Said as the command `position` says it, perhaps with moves.
fn is_in_words(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let behind = words
        .skip(FIELDS_BEHIND_THE_BOARD)
        .find(|word| !is_number(word));
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    is(first, "startpos") || is(first, "fen") || behind.is_some_and(|word| is(word, "moves"))
}

/// Side to move, castling and en passant; what else a FEN has are numbers.
const FIELDS_BEHIND_THE_BOARD: usize = 3;

/// Lines, one after the other.
pub(crate) struct Input {
    source: Source,
    number: u64,
}

enum Source {
    Arguments(VecDeque<String>),
    Stream(LineReader<Box<dyn BufRead + Send>>),
}

const PIECE: usize = 1 << 16;
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Input {
    /// These, or else the lines of a file; standard input stands for none.
    pub(crate) fn open(positions: &[String], file: Option<&Path>) -> Result<Input, OpenError> {
        let source = match file {
            _ if !positions.is_empty() => Source::Arguments(positions.iter().cloned().collect()),
            Some(path) if path != Path::new("-") => {
                let file = open(path).map_err(|source| OpenError {
                    path: path.to_owned(),
                    source,
                })?;
                stream(file)
            }
            _ => stream(stdin()),
        };
        Ok(Input { source, number: 0 })
    }

    /// The next line that asks for something. Fails when nothing more can be read.
    pub(crate) fn next_line(&mut self) -> Result<Option<Line>, InputError> {
        loop {
            let text = match &mut self.source {
                Source::Arguments(texts) => Ok(texts.pop_front()),
                Source::Stream(lines) => lines.next_line(),
            };
            let text = match text {
                Ok(None) => return Ok(None),
                Ok(Some(text)) => Ok(text),
                Err(error @ InputError::Read(_)) => return Err(error),
                Err(error) => Err(error),
            };
            self.number += 1;
            let text = text.map(|text| text.trim_start_matches(BYTE_ORDER_MARK).to_owned());
            let is_silent = |text: &String| text.trim().is_empty() || text.starts_with('#');
            if !text.as_ref().is_ok_and(is_silent) {
                let number = self.number;
                return Ok(Some(Line { number, text }));
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
    Source::Stream(LineReader::new(Box::new(BufReader::with_capacity(
        PIECE, input,
    ))))
}
