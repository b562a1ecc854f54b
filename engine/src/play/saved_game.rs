//! Saved games: append-only files with one line per action, written as the game is played, so
//! that an interrupt or a crash loses at most the line being written. Also loads PGN games.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use common::args::Side;
use common::files::FileError;
use common::input::LineReader;
use thiserror::Error;

use super::game_state::{Action, ActionError, ActionRejected, GameState, NewGame};
use crate::formats::pgn::{Games, InvalidGame};

/// The first line of every saved game.
const SIGNATURE: &str = "castellan game 1";

/// The extension of files in the state directory.
const EXTENSION: &str = "game";

/// More than any game needs.
const MAX_BYTES: u64 = 1 << 26;

/// Why a game cannot be saved, resumed or loaded.
#[derive(Debug, Error)]
pub(crate) enum SavedGameError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("'{}' already exists; add --resume to resume the game in it", path.display())]
    Exists { path: PathBuf },
    #[error("'{}' is not a saved game: expected '{SIGNATURE}' in line 1", path.display())]
    NotASavedGame { path: PathBuf },
    #[error("cannot load '{}': line {line}: {source}", path.display())]
    Line {
        path: PathBuf,
        line: u64,
        source: ActionError,
    },
    #[error("cannot load '{}': {source}", path.display())]
    Pgn {
        path: PathBuf,
        source: Box<InvalidGame>,
    },
    #[error("cannot load '{}': move {number}: {source}", path.display())]
    PgnMove {
        path: PathBuf,
        number: usize,
        source: ActionRejected,
    },
    #[error("no game in '{}'", path.display())]
    NoGame { path: PathBuf },
    #[error("the game in '{}' is in use by another process", path.display())]
    InUse { path: PathBuf },
    #[error("no unfinished game in '{}'", state_dir.display())]
    NoneUnfinished { state_dir: PathBuf },
    #[error(
        "no directory for saved games: neither XDG_STATE_HOME nor HOME is set; use --session FILE"
    )]
    NoStateDir,
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
            _ => FileError::write(path)(source).into(),
        })?;
        lock(&file, path)?;
        let path = path.into();
        let mut saved_game = SavedGame { path, file };
        saved_game.write(SIGNATURE)?;
        Ok(saved_game)
    }

    /// Creates a new file in the state directory.
    pub(super) fn create_in_state_dir() -> Result<SavedGame, SavedGameError> {
        let state_dir = state_dir().ok_or(SavedGameError::NoStateDir)?;
        fs::create_dir_all(&state_dir).map_err(FileError::write(&state_dir))?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since.unwrap_or_default().as_secs();
        let name = format!("{seconds}-{}.{EXTENSION}", process::id());
        SavedGame::create(&state_dir.join(name))
    }

    /// Opens a file and reads its game.
    pub(super) fn resume(path: &Path) -> Result<(SavedGame, GameState), SavedGameError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let mut file = file.map_err(FileError::read(path))?;
        lock(&file, path)?;
        let (state, length) = read(path)?;
        // Drop an incomplete last line.
        file.set_len(length).map_err(FileError::write(path))?;
        file.seek(SeekFrom::End(0))
            .map_err(FileError::write(path))?;
        let path = path.into();
        Ok((SavedGame { path, file }, state))
    }

    /// Resumes the latest unfinished game of the state directory.
    pub(super) fn resume_latest() -> Result<(SavedGame, GameState), SavedGameError> {
        let state_dir = state_dir().ok_or(SavedGameError::NoStateDir)?;
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
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        Ok(written.map_err(FileError::write(&self.path))?)
    }

    /// Deletes the file.
    pub(super) fn discard(self) {
        let SavedGame { path, file } = self;
        drop(file);
        // A file that cannot be deleted does no harm.
        let _ = fs::remove_file(path);
    }
}

/// Writes a game in the file format.
pub(super) fn text(state: &GameState) -> String {
    let actions = state.actions().iter().map(|action| format!("{action}\n"));
    format!("{SIGNATURE}\n{}", actions.collect::<String>())
}

/// Loads a saved game, or the first game of a PGN file, which does not record the user's side.
pub(super) fn load(path: &Path, side: Side) -> Result<GameState, SavedGameError> {
    match read(path) {
        Ok((state, _)) => Ok(state),
        Err(SavedGameError::NotASavedGame { .. }) => read_pgn(path, side),
        Err(error) => Err(error),
    }
}

/// Reads a saved game; also returns the length of its complete lines in bytes.
fn read(path: &Path) -> Result<(GameState, u64), SavedGameError> {
    let not_a_saved_game = || SavedGameError::NotASavedGame { path: path.into() };
    let metadata = fs::metadata(path).map_err(FileError::read(path))?;
    // A pipe may never end.
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return Err(not_a_saved_game());
    }
    let mut bytes = fs::read(path).map_err(FileError::read(path))?;
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    bytes.truncate(end.map_or(0, |at| at + 1));
    let mut lines = LineReader::new(bytes.as_slice());
    match lines.next_line() {
        Ok(Some(line)) if line == SIGNATURE => {}
        _ => return Err(not_a_saved_game()),
    }
    let mut state = GameState::default();
    for number in 2.. {
        let line = lines.next_line().map_err(ActionError::from);
        let followed = line.and_then(|line| match line {
            Some(line) => state.follow(&line).map(Some),
            None => Ok(None),
        });
        let followed = followed.map_err(|source| SavedGameError::Line {
            path: path.into(),
            line: number,
            source,
        })?;
        if followed.is_none() {
            break;
        }
    }
    Ok((state, bytes.len() as u64))
}

fn read_pgn(path: &Path, side: Side) -> Result<GameState, SavedGameError> {
    let file = File::open(path).map_err(FileError::read(path))?;
    let mut games = Games::new(BufReader::new(file), usize::MAX);
    let game = games.next_game().map_err(FileError::read(path))?;
    let game = game.ok_or_else(|| SavedGameError::NoGame { path: path.into() })?;
    let game = game.map_err(|source| SavedGameError::Pgn {
        path: path.into(),
        source: source.into(),
    })?;
    let variant = game.variant;
    let mut state = GameState::new(NewGame {
        start: game.start,
        variant,
        side,
    });
    for (mv, number) in game.moves().zip(1..) {
        // A PGN game may continue after the rules have ended it.
        state
            .apply(Action::Move { mv, variant })
            .map_err(|source| SavedGameError::PgnMove {
                path: path.into(),
                number,
                source,
            })?;
    }
    Ok(state)
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
