//! The file of `--out`: it gets its name when it is complete. Until then games are appended to
//! `FILE.partial`, and a line in `FILE.journal` confirms each, so that `--resume` continues an
//! interrupted run behind the last confirmed game.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use common::excerpt;
use common::files::{self, FileError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::page::IndexEntry;
use crate::commands::games::InputGames;
use crate::commands::input::ReadError;
use crate::output::results::json_line;
use game::NAME;

#[derive(Debug, Error)]
pub(super) enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("'{}' already exists; not overwritten (use --force)", path.display())]
    Exists { path: PathBuf },
    #[error("'{}' is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error(
        "'{}' already exists, and there is no interrupted run to resume; not overwritten (use \
         --force)",
        path.display()
    )]
    Finished { path: PathBuf },
    #[error(
        "'{}' is left from an interrupted run; use --resume to continue it, or --force to start \
         over",
        path.display()
    )]
    Interrupted { path: PathBuf },
    #[error("'{}' is not a journal of castellan annotate: line {line}: {reason}", path.display())]
    NotAJournal {
        path: PathBuf,
        line: usize,
        reason: String,
    },
    #[error(
        "the interrupted run had {}, this one has {}; use the same options, or --force to start \
         over",
        listed(before),
        listed(now)
    )]
    OtherSettings {
        before: Vec<String>,
        now: Vec<String>,
    },
    #[error(
        "the input has changed: game {number} is not the one annotated by the interrupted run; use \
         the same input, or --force to start over"
    )]
    ChangedGame { number: u64 },
    #[error(
        "the input has changed: game {number}, annotated by the interrupted run, is missing; use \
         the same input, or --force to start over"
    )]
    MissingGame { number: u64 },
}

fn listed(settings: &[String]) -> String {
    match settings {
        [] => "no such option".to_owned(),
        settings => format!("'{}'", excerpt(&settings.join("', '"))),
    }
}

/// What may be done with files that exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    Keep,
    Resume,
    Overwrite,
}

/// The first line of a journal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// Everything the annotations depend on besides the games.
    settings: Vec<String>,
    /// Whether the finished file may replace another.
    overwrite: bool,
}

/// A confirmed game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Confirmed {
    number: u64,
    pub(super) positions: u64,
    /// Identifies the game as it was read.
    input: u64,
    /// The length of the output up to the end of the game.
    bytes: u64,
    /// The line of the index page, where there is one.
    pub(super) index: Option<IndexEntry>,
}

/// What an interrupted run has done.
#[derive(Debug, Default)]
pub(super) struct Previous {
    /// Whether there is such a run, and it is continued.
    pub(super) is_continued: bool,
    /// Whether the finished file may replace another.
    overwrite: bool,
    pub(super) games: Vec<Confirmed>,
}

impl Previous {
    /// Reads what is to be continued; changes nothing.
    pub(super) fn read(
        path: &Path,
        existing: Existing,
        settings: &[String],
    ) -> Result<Previous, CheckpointError> {
        let paths = Paths::new(path);
        let interrupted = paths.journal.exists();
        let mut previous = Previous {
            overwrite: existing == Existing::Overwrite,
            ..Previous::default()
        };
        if path.exists() && !path.is_file() {
            let path = path.to_owned();
            return Err(CheckpointError::NotAFile { path });
        }
        if existing == Existing::Resume && interrupted {
            let length = fs::metadata(&paths.partial).map_or(0, |found| found.len());
            previous = read_journal(&paths.journal, settings)?;
            // A file system may lose what was written last.
            previous.games.retain(|game| game.bytes <= length);
        }
        if path.exists() && !previous.overwrite {
            let path = path.to_owned();
            return Err(match existing {
                Existing::Resume if !interrupted => CheckpointError::Finished { path },
                _ => CheckpointError::Exists { path },
            });
        }
        if interrupted && existing == Existing::Keep {
            let path = paths.journal;
            return Err(CheckpointError::Interrupted { path });
        }
        if !interrupted && existing != Existing::Overwrite {
            // Without a journal it is not ours.
            refuse_existing(&paths.partial)?;
        }
        Ok(previous)
    }

    /// Skips the games that are done, and checks that they are the same.
    pub(super) fn skip(&self, games: &mut InputGames) -> Result<(), CheckpointError> {
        for done in &self.games {
            let record = games.next_game()?;
            let number = games.count().total;
            let record = record.ok_or(CheckpointError::MissingGame {
                number: done.number,
            })?;
            if number != done.number || fingerprint(&record.pgn()) != done.input {
                return Err(CheckpointError::ChangedGame { number });
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Paths {
    /// The complete file.
    file: PathBuf,
    partial: PathBuf,
    journal: PathBuf,
}

impl Paths {
    fn new(file: &Path) -> Paths {
        let with_suffix = |suffix| {
            let mut name = OsString::from(file);
            name.push(suffix);
            PathBuf::from(name)
        };
        Paths {
            file: file.to_owned(),
            partial: with_suffix(".partial"),
            journal: with_suffix(".journal"),
        }
    }
}

/// The output while it is incomplete.
#[derive(Debug)]
pub(super) struct Checkpoint {
    paths: Paths,
    partial: File,
    journal: File,
    bytes: u64,
}

impl Checkpoint {
    /// Creates the files, or opens those of an interrupted run behind its last confirmed game.
    pub(super) fn open(
        path: &Path,
        previous: &Previous,
        settings: Vec<String>,
    ) -> Result<Checkpoint, CheckpointError> {
        let paths = Paths::new(path);
        let bytes = previous.games.last().map_or(0, |game| game.bytes);
        // The journal no longer confirms any game that is removed next.
        let overwrite = previous.overwrite;
        let mut lines = json_line(&Header {
            settings,
            overwrite,
        })?;
        for game in &previous.games {
            lines.push_str(&json_line(game)?);
        }
        files::replace(&paths.journal, lines.as_bytes())?;
        Ok(Checkpoint {
            partial: open_at(&paths.partial, Some(bytes))?,
            journal: open_at(&paths.journal, None)?,
            paths,
            bytes,
        })
    }

    /// Appends a game and confirms it.
    pub(super) fn add(
        &mut self,
        text: &str,
        game: impl FnOnce(u64) -> Confirmed,
    ) -> Result<(), CheckpointError> {
        let written = self.partial.write_all(text.as_bytes());
        written.map_err(FileError::write(&self.paths.partial))?;
        self.bytes += text.len() as u64;
        let line = json_line(&game(self.bytes))?;
        let written = self.journal.write_all(line.as_bytes());
        written.map_err(FileError::write(&self.paths.journal))?;
        Ok(())
    }

    /// Gives the complete file its name.
    pub(super) fn finish(self) -> Result<(), CheckpointError> {
        let complete = self.partial.sync_all();
        complete
            .and_then(|()| fs::rename(&self.paths.partial, &self.paths.file))
            .map_err(FileError::write(&self.paths.file))?;
        fs::remove_file(&self.paths.journal).map_err(FileError::write(&self.paths.journal))?;
        Ok(())
    }
}

impl Confirmed {
    pub(super) fn new(
        number: u64,
        positions: u64,
        input: u64,
        index: Option<IndexEntry>,
    ) -> impl FnOnce(u64) -> Confirmed {
        move |bytes| Confirmed {
            number,
            positions,
            input,
            bytes,
            index,
        }
    }
}

/// Refuses a name that is taken.
pub(super) fn refuse_existing(path: &Path) -> Result<(), CheckpointError> {
    match path.exists() {
        true => Err(CheckpointError::Exists {
            path: path.to_owned(),
        }),
        false => Ok(()),
    }
}

/// Opens a file to append to it; with `length`, it is created or cut.
fn open_at(path: &Path, length: Option<u64>) -> Result<File, FileError> {
    let mut options = OpenOptions::new();
    let file = options.append(true).create(true).open(path);
    file.and_then(|file| match length {
        Some(length) => file.set_len(length).map(|()| file),
        None => Ok(file),
    })
    .map_err(FileError::write(path))
}

/// Reads a journal, whose last line may be incomplete.
fn read_journal(path: &Path, settings: &[String]) -> Result<Previous, CheckpointError> {
    let not_a_journal = |line: usize, reason: String| CheckpointError::NotAJournal {
        path: path.to_owned(),
        line,
        reason,
    };
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            return Err(not_a_journal(1, error.to_string()));
        }
        text => text.map_err(FileError::read(path))?,
    };
    let mut lines = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let Some(first) = lines.next() else {
        return Err(not_a_journal(1, "the first line is incomplete".to_owned()));
    };
    let header: Header =
        serde_json::from_str(first).map_err(|error| not_a_journal(1, error.to_string()))?;
    check_settings(&header.settings, settings)?;
    let games = lines.zip(2..).map(|(line, number)| {
        serde_json::from_str(line).map_err(|error| not_a_journal(number, error.to_string()))
    });
    Ok(Previous {
        is_continued: true,
        overwrite: header.overwrite,
        games: games.collect::<Result<_, _>>()?,
    })
}

fn check_settings(before: &[String], now: &[String]) -> Result<(), CheckpointError> {
    if before == now {
        return Ok(());
    }
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        let these = these.iter().filter(|setting| !those.contains(setting));
        these.cloned().collect()
    };
    Err(CheckpointError::OtherSettings {
        before: only(before, now),
        now: only(now, before),
    })
}

/// All settings: those of the search, the folder of the pages, and the program.
pub(super) fn settings(search: Vec<String>, html: Option<&Path>) -> Vec<String> {
    let html = html.map(|folder| format!("--html {}", folder.display()));
    let program = [NAME.to_owned()].into_iter();
    program.chain(search).chain(html).collect()
}

/// A 64-bit FNV-1a hash, which is the same on every machine.
pub(super) fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
