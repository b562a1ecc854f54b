//! A game on its way, kept in a file line by line as it is played, so that neither an interrupt
//! nor a crash loses more than the line being written. A file only grows.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fmt};

use movegen::{Position, Variant};
use thiserror::Error;

use super::table::{Beginning, Entry, Table};
use common::args::Side;
use common::input::{InputError, LineReader};

/// What such a file begins with.
pub(super) const FIRST_LINE: &str = "castellan game 1";

/// Files of the usual folder end like this.
const ENDING: &str = "game";

/// No game fills more bytes.
const LARGEST: u64 = 1 << 26;

/// Why a game cannot be kept, or gone on with.
#[derive(Debug, Error)]
pub(crate) enum JournalError {
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("'{}' already exists; add --resume to resume the game in it", path.display())]
    Exists { path: PathBuf },
    #[error("'{}' is no saved game: it does not begin with '{FIRST_LINE}'", path.display())]
    NoGame { path: PathBuf },
    #[error("'{}', line {line}: {what}", path.display())]
    Line {
        path: PathBuf,
        line: u64,
        what: String,
    },
    #[error("the game in '{}' is being played by another program", path.display())]
    Taken { path: PathBuf },
    #[error("no unfinished game is kept in '{}'", folder.display())]
    NothingKept { folder: PathBuf },
    #[error(
        "there is no folder for games: neither XDG_STATE_HOME nor HOME is set; name a file \
             with --session"
    )]
    NoFolder,
}

/// A file that takes down what is done.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// A new file; one that is there is left alone.
    pub(super) fn create(path: &Path) -> Result<Journal, JournalError> {
        let file = File::create_new(path).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => JournalError::Exists { path: path.into() },
            _ => JournalError::Write {
                path: path.into(),
                source,
            },
        })?;
        let mut journal = Journal {
            path: path.into(),
            file,
        };
        lock(&journal.file, path)?;
        journal.write(FIRST_LINE)?;
        Ok(journal)
    }

    /// A new file in the usual folder.
    pub(super) fn create_somewhere() -> Result<Journal, JournalError> {
        let folder = folder().ok_or(JournalError::NoFolder)?;
        fs::create_dir_all(&folder).map_err(|source| JournalError::Write {
            path: folder.clone(),
            source,
        })?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since.unwrap_or_default().as_secs();
        let name = format!("{seconds}-{}.{ENDING}", process::id());
        Journal::create(&folder.join(name))
    }

    /// The file, and the game in it.
    pub(super) fn resume(path: &Path) -> Result<(Journal, Kept), JournalError> {
        let write = |source| JournalError::Write {
            path: path.into(),
            source,
        };
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(|source| JournalError::Read {
            path: path.into(),
            source,
        })?;
        lock(&file, path)?;
        let kept = Kept::read(path)?;
        // Half a line was written last, and is written over.
        file.set_len(kept.length).map_err(write)?;
        let mut journal = Journal {
            path: path.into(),
            file,
        };
        journal.file.seek(SeekFrom::End(0)).map_err(write)?;
        Ok((journal, kept))
    }

    /// The unfinished game of the usual folder that was played last.
    pub(super) fn resume_latest() -> Result<(Journal, Kept), JournalError> {
        let folder = folder().ok_or(JournalError::NoFolder)?;
        let mut broken = None;
        for path in unfinished(&folder) {
            match Journal::resume(&path) {
                Ok(resumed) => return Ok(resumed),
                Err(JournalError::Taken { .. }) => {}
                Err(error) => broken = broken.or(Some(error)),
            }
        }
        Err(broken.unwrap_or(JournalError::NothingKept { folder }))
    }

    /// How many games wait in the usual folder to be gone on with.
    pub(super) fn waiting() -> usize {
        folder().map_or(0, |folder| unfinished(&folder).len())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&mut self, line: &str) -> Result<(), JournalError> {
        // In one piece, so that no half of it stands there alone for long.
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|source| JournalError::Write {
            path: self.path.clone(),
            source,
        })
    }

    /// There is nothing in it that anyone would go on with.
    pub(super) fn discard(self) {
        let Journal { path, file } = self;
        drop(file);
        // Should it stay, nothing is lost.
        let _ = fs::remove_file(path);
    }
}

/// A game as a file has it.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) table: Table,
    /// What was done in the game that was on the board last.
    pub(super) entries: Vec<Entry>,
    /// Of the whole lines, in bytes.
    length: u64,
}

impl Kept {
    /// A game about to begin.
    pub(super) fn new(table: Table, begin: Entry) -> Kept {
        Kept {
            table,
            entries: vec![begin],
            length: 0,
        }
    }

    pub(super) fn read(path: &Path) -> Result<Kept, JournalError> {
        let unreadable = |source| JournalError::Read {
            path: path.into(),
            source,
        };
        let found = fs::metadata(path).map_err(unreadable)?;
        // A pipe might never end.
        if !found.is_file() || found.len() > LARGEST {
            return Err(JournalError::NoGame { path: path.into() });
        }
        let mut bytes = fs::read(path).map_err(unreadable)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n');
        bytes.truncate(end.map_or(0, |at| at + 1));
        let mut lines = LineReader::new(bytes.as_slice());
        let mut kept = Kept {
            table: Table::new(Beginning {
                start: Position::default(),
                variant: Variant::Standard,
                side: Side::White,
            }),
            entries: Vec::new(),
            length: bytes.len() as u64,
        };
        let mut number = 0;
        loop {
            number += 1;
            let fault = |what: &dyn fmt::Display| JournalError::Line {
                path: path.into(),
                line: number,
                what: what.to_string(),
            };
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) if number == 1 => return Err(JournalError::NoGame { path: path.into() }),
                Ok(None) => return Ok(kept),
                Err(InputError::Read(source)) => return Err(unreadable(source)),
                Err(_) if number == 1 => return Err(JournalError::NoGame { path: path.into() }),
                Err(error) => return Err(fault(&error)),
            };
            if number == 1 {
                if line != FIRST_LINE {
                    return Err(JournalError::NoGame { path: path.into() });
                }
                continue;
            }
            let entry = kept.table.follow(&line).map_err(|error| fault(&error))?;
            if matches!(entry, Entry::Begin(_)) {
                kept.entries.clear();
            }
            kept.entries.push(entry);
        }
    }
}

/// One program at a time; where files cannot be locked that has to be believed.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(JournalError::Taken { path: path.into() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Where games are kept when no file is named.
fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let state = named("XDG_STATE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| named("HOME").map(|home| PathBuf::from(home).join(".local").join("state")));
    state.map(|state| state.join("castellan"))
}

/// The kept games, the latest first.
fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<(SystemTime, PathBuf)> = files
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .filter_map(|path| {
            let changed = fs::metadata(&path).and_then(|file| file.modified());
            changed.ok().map(|changed| (changed, path))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}
