//! Going on after an interruption: what an earlier run has answered already.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use movegen::Variant;
use serde::Deserialize;
use thiserror::Error;

use crate::commands::positions::Input;
use crate::notation;
use common::excerpt;
use common::input::InputError;

/// What is in the file of an earlier run.
#[derive(Debug, Default)]
pub(super) struct Resumed {
    /// Bytes of whole lines; `None` when there is no file.
    pub(super) whole_bytes: Option<u64>,
    pub(super) answered: u64,
    pub(super) bad: u64,
    pub(super) first_bad: Option<u64>,
    last: Option<Told>,
}

/// As much of an answer as matters here.
#[derive(Debug, Deserialize)]
struct Told {
    line: u64,
    fen: Option<String>,
    error: Option<String>,
}

/// Why there is no going on.
#[derive(Debug, Error)]
pub(crate) enum ResumeError {
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("line {number} of '{}' is no answer of this program: {reason}", path.display())]
    NoAnswer {
        path: PathBuf,
        number: u64,
        reason: String,
    },
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(
        "the answers are of another input: line {number} is {here} and was {before}; give --out \
         another name"
    )]
    OtherInput {
        number: u64,
        here: String,
        before: String,
    },
}

impl Resumed {
    /// Reads the answers in a file, if there is one.
    pub(super) fn from(path: &Path) -> Result<Resumed, ResumeError> {
        let unreadable = |source| ResumeError::Read {
            path: path.to_owned(),
            source,
        };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Resumed::default()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut reader = BufReader::new(file);
        let mut resumed = Resumed {
            whole_bytes: Some(0),
            ..Resumed::default()
        };
        for number in 1.. {
            let mut line = Vec::new();
            let length = (&mut reader)
                .take(LONGEST)
                .read_until(b'\n', &mut line)
                .map_err(unreadable)?;
            let whole = line.last() == Some(&b'\n');
            let noted = match whole {
                true => resumed.note(&line, length),
                false if is_cut_off(&line) => return Ok(resumed),
                false => Err("it does not begin like one".to_owned()),
            };
            noted.map_err(|reason| ResumeError::NoAnswer {
                path: path.to_owned(),
                number,
                reason,
            })?;
        }
        Ok(resumed)
    }

    fn note(&mut self, line: &[u8], length: usize) -> Result<(), String> {
        let told: Told = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if let Some(last) = &self.last
            && last.line >= told.line
        {
            let (this, last) = (told.line, last.line);
            return Err(format!("it answers line {this} after line {last}"));
        }
        self.answered += 1;
        if told.error.is_some() {
            self.bad += 1;
            self.first_bad.get_or_insert(told.line);
        }
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        self.whole_bytes = self.whole_bytes.map(|bytes| bytes.saturating_add(length));
        self.last = Some(told);
        Ok(())
    }

    /// Takes off the input what is answered, and sees that it is the input that was answered.
    pub(super) fn pass_over(&self, input: &mut Input, variant: Variant) -> Result<(), ResumeError> {
        let Some(last) = &self.last else {
            return Ok(());
        };
        loop {
            let line = input.next_line()?;
            if line.as_ref().is_some_and(|line| line.number < last.line) {
                continue;
            }
            let here = line.filter(|line| line.number == last.line);
            let here = here.map(|line| match line.read(variant) {
                Ok(record) => notation::fen(record.game.position(), variant),
                Err(_) => NO_POSITION.to_owned(),
            });
            let before = last.fen.as_deref().unwrap_or(NO_POSITION);
            return match here.as_deref() {
                Some(here) if here == before => Ok(()),
                _ => Err(ResumeError::OtherInput {
                    number: last.line,
                    here: here.unwrap_or_else(|| "not there".to_owned()),
                    before: excerpt(before),
                }),
            };
        }
    }
}

const NO_POSITION: &str = "no position";

/// More than any answer has.
const LONGEST: u64 = 1 << 24;

/// The beginning of every answer.
const BEGINNING: &[u8] = br#"{"line":"#;

/// Whether it may be part of an answer. What is not must stay as it is.
fn is_cut_off(line: &[u8]) -> bool {
    line.starts_with(BEGINNING) || BEGINNING.starts_with(line)
}
