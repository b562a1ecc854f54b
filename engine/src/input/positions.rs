//! Positions as the input of a command, one per line: from arguments, files or standard input.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use common::excerpt;
use common::input::{InputError, LineReader};
use movegen::Variant;

use crate::input::{self, ReadError};
use crate::output::progress;
use formats::uci_position::{PositionLine, UciPosition};

/// A line of the input, which may be invalid.
pub(crate) struct InputLine {
    /// From 1; blank lines and comments count.
    pub(crate) number: u64,
    text: Result<String, InputError>,
}

/// The numbers of lines read and of invalid ones.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LineCount {
    total: u64,
    invalid: u64,
    first_invalid: Option<u64>,
}

impl LineCount {
    pub(crate) fn add(&mut self, line: u64, is_valid: bool) {
        self.total += 1;
        if !is_valid {
            self.invalid += 1;
            self.first_invalid.get_or_insert(line);
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let (invalid, total) = (self.invalid, self.total);
        self.first_invalid.map_or(Ok(()), |first| {
            Err(anyhow!(
                "invalid positions: {invalid} of {total}, the first in line {first}"
            ))
        })
    }
}

impl InputLine {
    /// The text, or why there is none.
    pub(crate) fn input(&self) -> String {
        let text = self.text.as_ref().map(String::clone);
        text.unwrap_or_else(InputError::to_string)
    }

    fn text(&self) -> Result<&str> {
        match &self.text {
            Ok(text) => Ok(text),
            Err(error) => bail!("{error}"),
        }
    }

    /// Parses a FEN, a line of EPD, or the arguments of UCI's `position` command.
    pub(crate) fn parse(&self, how: Reading) -> Result<PositionLine> {
        let line = UciPosition::parse_line(self.text()?, how.variant)?;
        if how.strict && !line.warnings.is_empty() {
            bail!(line.warnings.join("; "));
        }
        Ok(line)
    }
}

/// The way positions are read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reading {
    /// `None`: as the FEN tells.
    pub(crate) variant: Option<Variant>,
    /// Refuses a FEN with something that its position cannot have.
    pub(crate) strict: bool,
}

/// Positions and files, read one after the other; their lines are counted as those of one file.
pub(crate) struct Positions {
    sources: VecDeque<Source>,
    current: Option<(PathBuf, LineReader<Box<dyn BufRead + Send>>)>,
    /// A line of the current file has been read that is not blank.
    begun: bool,
    number: u64,
    /// The numbers of the lines that are not skipped.
    pub(crate) part: RangeInclusive<u64>,
}

#[derive(Debug, PartialEq, Eq)]
enum Source {
    Position(String),
    File(PathBuf),
}

const BUFFER_BYTES: usize = 1 << 16;
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Positions {
    /// Opens positions and files given as arguments; without any, standard input.
    pub(crate) fn from_arguments(arguments: &[String]) -> Result<Self> {
        match arguments {
            [] => Self::from_file(Path::new(input::STDIN)),
            _ => Self::new(sources(arguments)?),
        }
    }

    pub(crate) fn from_file(path: &Path) -> Result<Self> {
        Self::new(VecDeque::from([Source::File(path.to_owned())]))
    }

    /// Fails if a file cannot be read.
    fn new(sources: VecDeque<Source>) -> Result<Self> {
        for source in &sources {
            if let Source::File(path) = source {
                input::check(path)?;
            }
        }
        Ok(Self {
            sources,
            current: None,
            begun: false,
            number: 0,
            part: 1..=u64::MAX,
        })
    }

    /// Counts the lines before the first is read; `None` if there is a stream.
    pub(crate) fn count_lines(&self) -> Option<u64> {
        let counts = self.sources.iter().map(|source| match source {
            Source::Position(_) => Some(1),
            Source::File(path) => progress::count_lines(path).ok(),
        });
        counts.sum()
    }

    /// Returns the next line that is neither blank nor a comment; fails when the input cannot be
    /// read.
    pub(crate) fn next_line(&mut self) -> Result<Option<InputLine>, ReadError> {
        while self.number < *self.part.end()
            && let Some(text) = self.next_text()?
        {
            self.number += 1;
            let is_skipped = |text: &String| text.trim().is_empty() || text.starts_with('#');
            if self.part.contains(&self.number) && !text.as_ref().is_ok_and(is_skipped) {
                let number = self.number;
                return Ok(Some(InputLine { number, text }));
            }
        }
        Ok(None)
    }

    /// Returns the next line, whatever it is.
    fn next_text(&mut self) -> Result<Option<Result<String, InputError>>, ReadError> {
        loop {
            if let Some((path, lines)) = &mut self.current {
                match lines.next_line() {
                    Ok(None) => self.current = None,
                    Ok(Some(text)) => {
                        let text = text.trim_start_matches(BYTE_ORDER_MARK).to_owned();
                        if !self.begun && is_tag_pair(&text) {
                            return Err(ReadError::of(path)(io::Error::other(PGN)));
                        }
                        self.begun |= !text.trim().is_empty();
                        return Ok(Some(Ok(text)));
                    }
                    Err(InputError::Read(error)) => return Err(ReadError::of(path)(error)),
                    // The whole file is.
                    Err(error @ InputError::Utf16) if !self.begun => {
                        return Err(ReadError::of(path)(io::Error::other(error)));
                    }
                    Err(error) => return Ok(Some(Err(error))),
                }
                continue;
            }
            match self.sources.pop_front() {
                None => return Ok(None),
                Some(Source::Position(text)) => return Ok(Some(Ok(text))),
                Some(Source::File(path)) => {
                    let input = input::open(&path, "positions, one per line,")?;
                    let input = BufReader::with_capacity(BUFFER_BYTES, input);
                    self.current = Some((path, LineReader::new(Box::new(input))));
                    self.begun = false;
                }
            }
        }
    }
}

/// The message about a file of games.
const PGN: &str = "it is PGN; use 'castellan annotate' for games, or 'castellan pgn --fens' for \
                   their positions";

/// True if a line is a tag of PGN, such as `[Event "Casual game"]`.
fn is_tag_pair(text: &str) -> bool {
    let tag = text
        .trim()
        .strip_prefix('[')
        .and_then(|tag| tag.strip_suffix(']'));
    let name = tag
        .and_then(|tag| tag.split_once(" \""))
        .map(|(name, _)| name.trim());
    name.is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The positions and files that arguments name. Each is one argument, except that `moves` and all
/// arguments behind it belong to the position before.
fn sources(arguments: &[String]) -> Result<VecDeque<Source>> {
    let mut sources = VecDeque::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match sources.back_mut() {
            Some(Source::Position(text)) if is(argument, "moves") => {
                for word in [argument].into_iter().chain(arguments.by_ref()) {
                    *text = format!("{text} {word}");
                }
            }
            _ => sources.push_back(source(argument)?),
        }
    }
    Ok(sources)
}

fn source(argument: &str) -> Result<Source> {
    const SLASHES_OF_A_BOARD: usize = 7;
    let path = Path::new(argument);
    // No position has a backslash.
    let is_path = argument.starts_with(['/', '.']) || argument.contains('\\');
    let is_position = is(argument, "startpos")
        || argument.contains(char::is_whitespace)
        || argument.matches('/').count() == SLASHES_OF_A_BOARD;
    if input::is_stdin(path) || is_path || path.exists() {
        Ok(Source::File(path.to_owned()))
    } else if is_position {
        Ok(Source::Position(argument.to_owned()))
    } else {
        Err(anyhow!(
            "'{}' is neither a file nor a position; expected a file, a FEN in quotation marks or \
             'startpos', optionally followed by 'moves ...'",
            excerpt(argument)
        ))
    }
}

fn is(word: &str, name: &str) -> bool {
    word.eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::{Source, sources};

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_position_is_one_argument_and_moves_take_the_rest() {
        let board = "4k3/8/8/8/8/8/8/4K3";
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for (arguments, expected) in [
            (&["startpos"][..], &["startpos"][..]),
            (
                &["startpos", "moves", "e4", "e5"],
                &["startpos moves e4 e5"],
            ),
            (&["startpos", "Startpos"], &["startpos", "Startpos"]),
            (&[fen, board, "startpos"], &[fen, board, "startpos"]),
            (
                &[fen, fen, "moves", "e1e2"],
                &[fen, &format!("{fen} moves e1e2")],
            ),
            (&["8/8/8 w"], &["8/8/8 w"]),
            (&["x/8/8/8/8/8/8/8"], &["x/8/8/8/8/8/8/8"]),
        ] {
            let expected = texts(expected).into_iter().map(Source::Position);
            let found = sources(&texts(arguments)).expect("positions");
            assert!(expected.eq(found), "{arguments:?}");
        }
        let unquoted: Vec<&str> = fen.split(' ').collect();
        let error = sources(&texts(&unquoted)).expect_err("a FEN without quotation marks");
        let error = error.to_string();
        assert!(
            error.starts_with("'w' is ") && error.contains("in quotation marks"),
            "{error}"
        );
    }

    #[test]
    fn other_arguments_are_files() {
        let file = |path: &str| Source::File(path.into());
        let arguments = texts(&["Cargo.toml", "-", "startpos", "-", "Cargo.toml"]);
        let position = Source::Position("startpos".to_owned());
        let files = || [file("Cargo.toml"), file("-")].into_iter();
        let expected = files().chain([position]).chain(files().rev());
        assert!(expected.eq(sources(&arguments).expect("sources")));
        for path in [
            "/a/b/c/d/e/f/g",
            "./missing 1.epd",
            r"C:\no folder\1.epd",
            "src",
        ] {
            let found = sources(&texts(&[path])).expect("a file");
            assert!([file(path)].into_iter().eq(found), "{path}");
        }
        for missing in ["missing.epd", "", "e2e4"] {
            assert!(sources(&texts(&[missing])).is_err(), "{missing}");
        }
    }
}
