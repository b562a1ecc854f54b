//! Files of games in progress: a signature, then one line per action, appended as the game is
//! played, so that an interrupt or a crash loses at most the line being written.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use thiserror::Error;

use common::files::FileError;
use common::lock::try_lock;

/// More than any game needs.
const MAX_BYTES: u64 = 1 << 26;

/// The first line of every file.
pub const SIGNATURE: &str = "castellan game 1";
/// The extension of files in the state directory.
const EXTENSION: &str = "game";

/// The reason a file of a game cannot be used.
#[derive(Debug, Error)]
pub enum GameFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("'{}' already exists; add --resume to resume the game in it", path.display())]
    Exists { path: PathBuf },
    #[error("'{}' is not a saved game: expected '{SIGNATURE}' in line 1", path.display())]
    NotASavedGame { path: PathBuf },
    #[error("no unfinished game in '{}'", state_dir.display())]
    NoneUnfinished { state_dir: PathBuf },
    #[error("no unfinished game {number}: there are {count}; --games lists them")]
    NoSuchGame { number: usize, count: usize },
    #[error(
        "no directory for saved games: none of XDG_STATE_HOME, LOCALAPPDATA and HOME is set; use --session FILE"
    )]
    NoStateDir,
}

/// A file that records a game, locked against other processes.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    /// The length of its complete lines, which an incomplete one may follow.
    length: u64,
    is_incomplete: bool,
    /// Lines that could not be written.
    pending: String,
}

impl GameFile {
    /// Creates a new file; an existing one is left alone.
    pub fn create(path: &Path) -> Result<Self, GameFileError> {
        let file = File::create_new(path).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => GameFileError::Exists { path: path.into() },
            _ => FileError::write(path)(source).into(),
        })?;
        try_lock(&file, path)?;
        let mut game_file = Self::new(path, file, 0, false);
        game_file.write(SIGNATURE).inspect_err(|_| {
            // A file without it is of no use.
            let _ = fs::remove_file(path);
        })?;
        Ok(game_file)
    }

    /// Creates a new file in the state directory.
    pub fn create_in_state_dir() -> Result<Self, GameFileError> {
        let state_dir = state_dir()?;
        fs::create_dir_all(&state_dir).map_err(FileError::write(&state_dir))?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let time = since.unwrap_or_default().as_nanos();
        let name = format!("{time}-{}.{}", process::id(), EXTENSION);
        Self::create(&state_dir.join(name))
    }

    /// Opens a file to continue its game; also returns its complete lines after the signature.
    pub fn open(path: &Path) -> Result<(Self, Vec<u8>), GameFileError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(FileError::read(path))?;
        try_lock(&file, path)?;
        let lines = lines(&file, path)?;
        let length = SIGNATURE.len() + 1 + lines.len();
        let game_file = Self::new(path, file, length as u64, true);
        Ok((game_file, lines))
    }

    fn new(path: &Path, file: File, length: u64, is_incomplete: bool) -> Self {
        Self {
            path: path.into(),
            file,
            length,
            is_incomplete,
            pending: String::new(),
        }
    }

    /// Appends a line. If that fails, the next call tries again.
    pub fn write(&mut self, line: &str) -> Result<(), GameFileError> {
        self.pending += line;
        self.pending.push('\n');
        self.write_pending()
    }

    fn write_pending(&mut self) -> Result<(), GameFileError> {
        let written = self.write_lines();
        Ok(written.map_err(FileError::write(&self.path))?)
    }

    fn write_lines(&mut self) -> io::Result<()> {
        if self.is_incomplete {
            self.file.set_len(self.length)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        self.is_incomplete = true;
        // One write, to avoid incomplete lines.
        self.file.write_all(self.pending.as_bytes())?;
        self.is_incomplete = false;
        self.length += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Keeps the file of an unfinished game and returns a message about it; otherwise deletes the
    /// file, unless it is one that the user has named.
    pub fn finish(
        mut self,
        unfinished: bool,
        named: bool,
    ) -> Result<Option<String>, GameFileError> {
        if !self.pending.is_empty() && (unfinished || named) {
            self.write_pending()?;
        }
        let Self { path, file, .. } = self;
        drop(file);
        if unfinished {
            let path = path.display();
            return Ok(Some(format!(
                "Game saved to '{path}'; use --resume to continue it."
            )));
        }
        if !named {
            // A file that cannot be deleted does no harm.
            let _ = fs::remove_file(path);
        }
        Ok(None)
    }
}

/// Reads the complete lines after the signature.
pub fn read(path: &Path) -> Result<Vec<u8>, GameFileError> {
    let found = fs::metadata(path).map_err(FileError::read(path))?;
    // Opening a pipe may block.
    if !found.is_file() {
        return Err(not_a_saved_game(path));
    }
    let file = File::open(path).map_err(FileError::read(path))?;
    lines(&file, path)
}

/// Reads an open file: on Windows nobody else can read a locked one.
fn lines(mut file: &File, path: &Path) -> Result<Vec<u8>, GameFileError> {
    let found = file.metadata().map_err(FileError::read(path))?;
    if !found.is_file() || found.len() > MAX_BYTES {
        return Err(not_a_saved_game(path));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(FileError::read(path))?;
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    bytes.truncate(end.map_or(0, |at| at + 1));
    let lines = bytes
        .strip_prefix(SIGNATURE.as_bytes())
        .and_then(|rest| rest.strip_prefix(b"\n"));
    lines
        .map(<[u8]>::to_vec)
        .ok_or_else(|| not_a_saved_game(path))
}

fn not_a_saved_game(path: &Path) -> GameFileError {
    GameFileError::NotASavedGame { path: path.into() }
}

/// The files of the state directory, the latest first.
pub fn unfinished() -> Vec<PathBuf> {
    let files = state_dir()
        .ok()
        .and_then(|state_dir| fs::read_dir(state_dir).ok());
    let mut found: Vec<(SystemTime, PathBuf)> = files
        .into_iter()
        .flatten()
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == EXTENSION))
        .filter_map(|path| {
            let changed = fs::metadata(&path).and_then(|file| file.modified());
            changed.ok().map(|changed| (changed, path))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}

/// An unfinished game by its number in the list of [`unfinished`], from 1.
pub fn numbered(number: usize) -> Result<PathBuf, GameFileError> {
    let found = unfinished();
    let count = found.len();
    let path = number
        .checked_sub(1)
        .and_then(|at| found.into_iter().nth(at));
    path.ok_or(GameFileError::NoSuchGame { number, count })
}

/// Deletes a file, unless its game is being played.
pub fn delete(path: &Path) -> Result<(), GameFileError> {
    let file = File::open(path).map_err(FileError::read(path))?;
    try_lock(&file, path)?;
    Ok(fs::remove_file(path).map_err(FileError::write(path))?)
}

/// The directory for saved games and other things to keep; it may not exist yet.
pub fn state_dir() -> Result<PathBuf, GameFileError> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let state = named("XDG_STATE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .map(PathBuf::from)
        .or_else(|| named("HOME").map(|home| PathBuf::from(home).join(".local").join("state")))
        .ok_or(GameFileError::NoStateDir)?;
    Ok(state.join("castellan"))
}
