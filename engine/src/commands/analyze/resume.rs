//! `--resume`: reads the results of an interrupted run, to continue behind the last.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use movegen::Variant;
use serde::Deserialize;
use thiserror::Error;

use crate::commands::input::ReadError;
use crate::commands::positions::{LineCount, Positions};
use common::excerpt;
use common::files::{self, FileError};
use game::notation;

/// The results of an earlier run.
#[derive(Debug, Default)]
pub(super) struct Previous {
    /// The length of the complete lines; `None` if there is no file.
    pub(super) bytes: Option<u64>,
    pub(super) count: LineCount,
    last: Option<PreviousResult>,
}

/// The part of a result that matters here.
#[derive(Debug, Deserialize)]
struct PreviousResult {
    line: u64,
    fen: Option<String>,
    error: Option<String>,
}

#[derive(Debug, Error)]
pub(super) enum ResumeError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "line {number} of '{}' is not a result of castellan analyze: {reason}",
        path.display()
    )]
    NotAResult {
        path: PathBuf,
        number: u64,
        reason: String,
    },
    #[error(transparent)]
    Input(#[from] ReadError),
    #[error(
        "the results are for another input: line {number} is {here}, expected {expected}; choose \
         another name with --out"
    )]
    OtherInput {
        number: u64,
        here: String,
        expected: String,
    },
}

const INVALID: &str = "an invalid position";

/// No result is as long.
const MAX_LINE_BYTES: u64 = 1 << 24;

/// The beginning of every result.
const PREFIX: &[u8] = br#"{"line":"#;

impl Previous {
    pub(super) fn read(path: &Path) -> Result<Previous, ResumeError> {
        let file = match files::open(path) {
            Ok(file) => file,
            Err(FileError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(Previous::default());
            }
            Err(error) => return Err(error.into()),
        };
        let mut reader = BufReader::new(file);
        let mut previous = Previous::default();
        let mut bytes = 0;
        for number in 1.. {
            let mut line = Vec::new();
            (&mut reader)
                .take(MAX_LINE_BYTES)
                .read_until(b'\n', &mut line)
                .map_err(FileError::read(path))?;
            let added = match line.last() {
                Some(b'\n') => previous.add(&line),
                _ if is_partial(&line) => break,
                _ => Err("unexpected beginning".to_owned()),
            };
            added.map_err(|reason| ResumeError::NotAResult {
                path: path.to_owned(),
                number,
                reason,
            })?;
            bytes += line.len() as u64;
        }
        previous.bytes = Some(bytes);
        Ok(previous)
    }

    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let result: PreviousResult =
            serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if let Some(last) = &self.last
            && last.line >= result.line
        {
            let (this, last) = (result.line, last.line);
            return Err(format!("result {this} follows result {last}"));
        }
        self.count.add(result.line, result.error.is_none());
        self.last = Some(result);
        Ok(())
    }

    /// Skips the positions that have results, and checks that the last one is the same.
    pub(super) fn skip(
        &self,
        positions: &mut Positions,
        variant: Variant,
    ) -> Result<(), ResumeError> {
        let Some(last) = &self.last else {
            return Ok(());
        };
        let line = loop {
            match positions.next_line()? {
                Some(line) if line.number < last.line => {}
                line => break line.filter(|line| line.number == last.line),
            }
        };
        let here = line.map(|line| match line.parse(variant) {
            Ok(record) => notation::fen(record.game.position(), variant),
            Err(_) => INVALID.to_owned(),
        });
        let expected = last.fen.as_deref().unwrap_or(INVALID);
        match here.as_deref() {
            Some(here) if here == expected => Ok(()),
            _ => Err(ResumeError::OtherInput {
                number: last.line,
                here: here.unwrap_or_else(|| "missing".to_owned()),
                expected: excerpt(expected),
            }),
        }
    }
}

/// Whether an unfinished line may be part of a result. Otherwise the file is not ours to change.
fn is_partial(line: &[u8]) -> bool {
    line.starts_with(PREFIX) || PREFIX.starts_with(line)
}
