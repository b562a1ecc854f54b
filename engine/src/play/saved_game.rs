//! Saved games: append-only files with one line per action, written as the game is played, so
//! that an interrupt or a crash loses at most the line being written.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fmt};

use movegen::{Position, Variant};
use thiserror::Error;

use super::game_state::{Action, GameState, NewGame};
use common::args::Side;
use common::input::{InputError, LineReader};

/// The first line of every saved game.
pub(super) const SIGNATURE: &str = "castellan game 1";

/// The extension of files in the state directory.
const EXTENSION: &str = "game";

/// More than any game needs.
const MAX_BYTES: u64 = 1 << 26;

/// Why a game cannot be saved or resumed.
#[derive(Debug, Error)]
pub(crate) enum SavedGameError {
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("'{}' already exists; add --resume to resume the game in it", path.display())]
    Exists { path: PathBuf },
    #[error("'{}' is not a saved game: expected '{SIGNATURE}' in line 1", path.display())]
    NotASavedGame { path: PathBuf },
    #[error("'{}', line {line}: {what}", path.display())]
    Line {
        path: PathBuf,
        line: u64,
        what: String,
    },
    #[error("the game in '{}' is in use by another process", path.display())]
    InUse { path: PathBuf },
    #[error("no unfinished game in '{}'", state_dir.display())]
    NoneUnfinished { state_dir: PathBuf },
    #[error(
        "no directory for saved games: neither XDG_STATE_HOME nor HOME is set; use --session FILE"
    )]
    NoFolder,
}

/// The file that records a game.
#[derive(Debug)]
pub(super) struct SavedGame {
    path: PathBuf,
    file: File,
}

impl SavedGame {
    /// Creates a new file; an existing one is left alone.
    pub(super) fn create(path: &Path) -> Result<SavedGame, SavedGameError> {
        let file = File::create_new(path).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => SavedGameError::Exists { path: path.into() },
            _ => SavedGameError::Write {
                path: path.into(),
                source,
            },
        })?;
        let mut saved_game = SavedGame {
            path: path.into(),
            file,
        };
        lock(&saved_game.file, path)?;
        saved_game.write(SIGNATURE)?;
        Ok(saved_game)
    }

    /// Creates a new file in the state directory.
    pub(super) fn create_in_state_dir() -> Result<SavedGame, SavedGameError> {
        let state_dir = state_dir().ok_or(SavedGameError::NoFolder)?;
        fs::create_dir_all(&state_dir).map_err(|source| SavedGameError::Write {
            path: state_dir.clone(),
            source,
        })?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since.unwrap_or_default().as_secs();
        let name = format!("{seconds}-{}.{EXTENSION}", process::id());
        SavedGame::create(&state_dir.join(name))
    }

    /// Opens a file and reads its game.
    pub(super) fn resume(path: &Path) -> Result<(SavedGame, SavedState), SavedGameError> {
        let write = |source| SavedGameError::Write {
            path: path.into(),
            source,
        };
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(|source| SavedGameError::Read {
            path: path.into(),
            source,
        })?;
        lock(&file, path)?;
        let saved = SavedState::read(path)?;
        // Drop an incomplete last line.
        file.set_len(saved.length).map_err(write)?;
        let mut saved_game = SavedGame {
            path: path.into(),
            file,
        };
        saved_game.file.seek(SeekFrom::End(0)).map_err(write)?;
        Ok((saved_game, saved))
    }

    /// Resumes the latest unfinished game of the state directory.
    pub(super) fn resume_latest() -> Result<(SavedGame, SavedState), SavedGameError> {
        let state_dir = state_dir().ok_or(SavedGameError::NoFolder)?;
        let mut broken = None;
        for path in unfinished(&state_dir) {
            match SavedGame::resume(&path) {
                Ok(resumed) => return Ok(resumed),
                Err(SavedGameError::InUse { .. }) => {}
                Err(error) => broken = broken.or(Some(error)),
            }
        }
        Err(broken.unwrap_or(SavedGameError::NoneUnfinished { state_dir }))
    }

    /// The number of unfinished games in the state directory.
    pub(super) fn count_unfinished() -> usize {
        state_dir().map_or(0, |state_dir| unfinished(&state_dir).len())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn write(&mut self, line: &str) -> Result<(), SavedGameError> {
        // One write per line, to avoid incomplete lines.
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|source| SavedGameError::Write {
            path: self.path.clone(),
            source,
        })
    }

    /// Deletes the file.
    pub(super) fn discard(self) {
        let SavedGame { path, file } = self;
        drop(file);
        // A file that cannot be deleted does no harm.
        let _ = fs::remove_file(path);
    }
}

/// The contents of a file.
#[derive(Debug)]
pub(super) struct SavedState {
    pub(super) state: GameState,
    /// The actions of the last game in the file.
    pub(super) actions: Vec<Action>,
    /// The length of the complete lines in bytes.
    length: u64,
}

impl SavedState {
    /// The state of a new game.
    pub(super) fn new(state: GameState, begin: Action) -> SavedState {
        SavedState {
            state,
            actions: vec![begin],
            length: 0,
        }
    }

    pub(super) fn read(path: &Path) -> Result<SavedState, SavedGameError> {
        let unreadable = |source| SavedGameError::Read {
            path: path.into(),
            source,
        };
        let found = fs::metadata(path).map_err(unreadable)?;
        // A pipe may never end.
        if !found.is_file() || found.len() > MAX_BYTES {
            return Err(SavedGameError::NotASavedGame { path: path.into() });
        }
        let mut bytes = fs::read(path).map_err(unreadable)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n');
        bytes.truncate(end.map_or(0, |at| at + 1));
        let mut lines = LineReader::new(bytes.as_slice());
        let mut saved = SavedState {
            state: GameState::new(NewGame {
                start: Position::default(),
                variant: Variant::Standard,
                side: Side::White,
            }),
            actions: Vec::new(),
            length: bytes.len() as u64,
        };
        let mut number = 0;
        loop {
            number += 1;
            let fault = |what: &dyn fmt::Display| SavedGameError::Line {
                path: path.into(),
                line: number,
                what: what.to_string(),
            };
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) if number == 1 => {
                    return Err(SavedGameError::NotASavedGame { path: path.into() });
                }
                Ok(None) => return Ok(saved),
                Err(InputError::Read(source)) => return Err(unreadable(source)),
                Err(_) if number == 1 => {
                    return Err(SavedGameError::NotASavedGame { path: path.into() });
                }
                Err(error) => return Err(fault(&error)),
            };
            if number == 1 {
                if line != SIGNATURE {
                    return Err(SavedGameError::NotASavedGame { path: path.into() });
                }
                continue;
            }
            let action = saved.state.follow(&line).map_err(|error| fault(&error))?;
            if matches!(action, Action::Begin(_)) {
                saved.actions.clear();
            }
            saved.actions.push(action);
        }
    }
}

/// Locks the file against other processes, where the file system supports it.
fn lock(file: &File, path: &Path) -> Result<(), SavedGameError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(SavedGameError::InUse { path: path.into() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// The default directory for saved games.
fn state_dir() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let state = named("XDG_STATE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| named("HOME").map(|home| PathBuf::from(home).join(".local").join("state")));
    state.map(|state| state.join("castellan"))
}

/// The saved games of a directory, the latest first.
fn unfinished(state_dir: &Path) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(state_dir) else {
        return Vec::new();
    };
    let mut found: Vec<(SystemTime, PathBuf)> = files
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == EXTENSION))
        .filter_map(|path| {
            let changed = fs::metadata(&path).and_then(|file| file.modified());
            changed.ok().map(|changed| (changed, path))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}
