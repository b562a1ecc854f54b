//! The games that were played here: a folder with a file for each, PGN or a saved game of Tri-D.
//!
//! A game is replaced only if it is still what its writer has last read or written. Otherwise the
//! changes of both sides are merged, or, if they exclude each other, the writer's is kept as a game
//! of its own.

mod merge;
mod positions;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{Cursor, ErrorKind};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use common::files::{self, FileError};
#[cfg(not(target_family = "wasm"))]
use common::lock::OutputLock;
use formats::pgn::{Games, Record, decode};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game_file::state_dir;
pub use positions::{Part, Positions};

/// More than any game needs.
const MAX_BYTES: u64 = 1 << 26;

/// A kind of game, and of the text in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameKind {
    /// PGN.
    Chess,
    /// The lines of a saved game.
    Tridim,
}

impl GameKind {
    const ALL: [Self; 2] = [Self::Chess, Self::Tridim];

    fn extension(self) -> &'static str {
        match self {
            Self::Chess => "pgn",
            Self::Tridim => "tridim",
        }
    }

    /// The kind of the game in a file.
    fn of(path: &Path) -> Option<Self> {
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| path.extension().is_some_and(|end| end == kind.extension()))
    }
}

/// Names a game: the time of its first move and a number, so that names sort by age.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameId(String);

/// The text is not the name of a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("invalid name of a game: expected digits and hyphens")]
pub struct GameIdError;

impl GameId {
    const MAX_LENGTH: usize = 40;

    /// A name that no other game has.
    pub fn now() -> Self {
        static GAMES: AtomicU32 = AtomicU32::new(0);
        let number = GAMES.fetch_add(1, Ordering::Relaxed);
        let time = chrono::Utc::now().format("%Y%m%d-%H%M%S%3f");
        Self(format!("{time}-{number}"))
    }
}

impl TryFrom<String> for GameId {
    type Error = GameIdError;

    fn try_from(text: String) -> Result<Self, GameIdError> {
        let valid = text.starts_with(|first: char| first.is_ascii_digit())
            && text.len() <= Self::MAX_LENGTH
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-');
        valid.then_some(Self(text)).ok_or(GameIdError)
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> Self {
        id.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A game as one of its writers has last read or written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: GameId,
    /// `None` for a game that was never kept. If what was read is unknown, an empty text.
    pub text: Option<String>,
}

/// A game that was never kept.
impl From<GameId> for Entry {
    fn from(id: GameId) -> Self {
        Self { id, text: None }
    }
}

/// A new game.
impl Default for Entry {
    fn default() -> Self {
        GameId::now().into()
    }
}

/// The place of a game that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// In its entry.
    Here,
    /// In its entry, with what others have changed there.
    Merged,
    /// In an entry of its own: what others have changed in the old one excludes it.
    Apart,
}

/// Work on the library that nobody else does while this exists.
#[derive(Debug)]
pub struct Reserved {
    // WebAssembly has no locks, and no other program on its folder.
    #[cfg(not(target_family = "wasm"))]
    _lock: OutputLock,
}

impl Reserved {
    #[cfg_attr(target_family = "wasm", expect(unused_variables, reason = "see above"))]
    fn new(path: &Path) -> Result<Self, FileError> {
        Ok(Self {
            #[cfg(not(target_family = "wasm"))]
            _lock: OutputLock::acquire(path)?,
        })
    }
}

/// Keeps other writers out.
pub(crate) struct Lock {
    _writing: MutexGuard<'static, ()>,
    _reserved: Reserved,
}

/// The folder with the games; without one, nothing is kept.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folder: Option<PathBuf>,
    /// The index is shared by all copies of this.
    positions: Arc<Mutex<Positions>>,
}

impl Library {
    pub fn at(folder: PathBuf) -> Self {
        Self {
            folder: Some(folder),
            ..Self::default()
        }
    }

    /// Beside the saved games of the terminal.
    pub fn of_user() -> Self {
        let folder = state_dir().ok();
        Self {
            folder: folder.map(|folder| folder.join("games")),
            ..Self::default()
        }
    }

    pub fn folder(&self) -> Option<&PathBuf> {
        self.folder.as_ref()
    }

    /// The index of the positions of its games.
    pub fn positions(&self) -> MutexGuard<'_, Positions> {
        self.positions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, id: &GameId, kind: GameKind) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        Some(folder.join(format!("{id}.{}", kind.extension())))
    }

    /// The file of a game, as one of chess if there is none; `None` if there is no folder.
    fn existing(&self, id: &GameId) -> Option<(GameKind, PathBuf)> {
        let tridim = self.path(id, GameKind::Tridim)?;
        if tridim.exists() {
            return Some((GameKind::Tridim, tridim));
        }
        Some((GameKind::Chess, self.path(id, GameKind::Chess)?))
    }

    /// Waits for other writers, which takes some milliseconds. `None` if there is no folder.
    pub(crate) fn lock(&self) -> Result<Option<Lock>, FileError> {
        /// The writers of one program take turns.
        static WRITING: Mutex<()> = Mutex::new(());
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
        let reserved = wait_for(|| Reserved::new(&folder.join("library")))?;
        files::remove_abandoned(folder, |_| true);
        Ok(Some(Lock {
            _writing: writing,
            _reserved: reserved,
        }))
    }

    /// Reserves a kind of work for one page of one program; `None` if another has it.
    pub fn reserve(&self, work: &str) -> Option<Reserved> {
        Reserved::new(&self.folder.as_ref()?.join(work)).ok()
    }

    /// Keeps a game: as it is, if its entry is unchanged or new, else with what others have changed
    /// there, or, if that excludes it, in an entry of its own. One that was deleted is kept again.
    pub fn keep(&self, entry: &mut Entry, kind: GameKind, text: &str) -> Result<Kept, FileError> {
        let _lock = self.lock()?;
        let (place, merged) = match (self.find(&entry.id)?, entry.text.as_deref()) {
            (Some((_, present)), base) if present != text && base != Some(&present) => {
                let merged = base.and_then(|base| merge::merge(kind, base, &present, text));
                match merged {
                    Some(merged) => (Kept::Merged, merged),
                    None => (Kept::Apart, text.to_owned()),
                }
            }
            _ => (Kept::Here, text.to_owned()),
        };
        let id = match place {
            Kept::Here | Kept::Merged => entry.id.clone(),
            Kept::Apart => self.free_id(),
        };
        self.write(&id, kind, &merged)?;
        *entry = Entry {
            id,
            text: Some(text.to_owned()),
        };
        Ok(place)
    }

    /// A name that no game has, also of another program that chooses one at the same time.
    fn free_id(&self) -> GameId {
        let is_free = |id: &GameId| self.existing(id).is_none_or(|(_, path)| !path.exists());
        let id = iter::repeat_with(GameId::now).find(is_free);
        id.unwrap_or_else(GameId::now)
    }

    /// Changes the game that is there; returns its text, or `None` if there is no such game or
    /// nothing to change.
    pub fn change(
        &self,
        id: &GameId,
        change: impl FnOnce(GameKind, &str) -> Option<String>,
    ) -> Result<Option<String>, FileError> {
        let _lock = self.lock()?;
        let Some((kind, text)) = self.find(id)? else {
            return Ok(None);
        };
        let changed = change(kind, &text);
        if let Some(changed) = &changed {
            self.write(id, kind, changed)?;
        }
        Ok(changed)
    }

    fn write(&self, id: &GameId, kind: GameKind, text: &str) -> Result<(), FileError> {
        let path = self.path(id, kind);
        path.map_or(Ok(()), |path| files::replace(&path, text.as_bytes()))
    }

    /// The kind and the text of a game; `None` if there is no folder.
    pub fn read(&self, id: &GameId) -> Result<Option<(GameKind, String)>, FileError> {
        let Some((kind, path)) = self.existing(id) else {
            return Ok(None);
        };
        let bytes = files::read(&path, MAX_BYTES)?;
        Ok(Some((kind, decode(&bytes).into_owned())))
    }

    /// Reads a game like `read`; returns `None` also for a game that is not there.
    pub fn find(&self, id: &GameId) -> Result<Option<(GameKind, String)>, FileError> {
        match self.read(id) {
            Err(FileError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            read => read,
        }
    }

    /// Deletes games, of which some may not be there any more.
    pub fn delete(&self, ids: &[GameId]) -> Result<(), FileError> {
        let _lock = self.lock()?;
        for (_, path) in ids.iter().filter_map(|id| self.existing(id)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(FileError::write(&path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// All games, the latest first.
    pub fn games(&self) -> Result<Vec<GameId>, FileError> {
        let mut ids = Vec::new();
        let Some(folder) = &self.folder else {
            return Ok(ids);
        };
        let files = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ids),
            files => files.map_err(FileError::read(folder))?,
        };
        for file in files {
            let path = file.map_err(FileError::read(folder))?.path();
            ids.extend(of_file(&path).map(|(id, _)| id));
        }
        ids.sort_by(|one, other| other.cmp(one));
        Ok(ids)
    }
}

/// The game that a file of the library has by its name.
pub fn of_file(path: &Path) -> Option<(GameId, GameKind)> {
    let name = path.file_stem().and_then(OsStr::to_str)?;
    let id = GameId::try_from(name.to_owned()).ok()?;
    Some((id, GameKind::of(path)?))
}

/// The game of a text; `None` if it cannot be read.
pub fn record(pgn: &str) -> Option<Record> {
    let mut games = Games::new(Cursor::new(pgn), None);
    games.next_game().ok()??.ok()
}

/// Waits for what others use for some milliseconds.
fn wait_for<T>(acquire: impl Fn() -> Result<T, FileError>) -> Result<T, FileError> {
    const TRIES: u32 = 200;
    for _ in 1..TRIES {
        match acquire() {
            Err(FileError::InUse { .. }) => thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    acquire()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use test_common::TempDir;

    use super::{Entry, GameId, GameKind, Kept, Library};

    fn id(text: &str) -> GameId {
        GameId::try_from(text.to_owned()).expect("valid")
    }

    #[test]
    fn games_are_kept_replaced_and_deleted() {
        let folder = TempDir::new("library");
        let library = Library::at(folder.directory().join("new").join("games"));
        assert_eq!(library.games().expect("a folder"), []);
        let (old, new) = (id("20250101-120000000-0"), id("20260101-120000000-0"));
        let keep = |entry: &mut Entry, kind, text| {
            let kept = library.keep(entry, kind, text).expect("written");
            assert_eq!(kept, Kept::Here);
        };
        let mut entry = new.clone().into();
        keep(&mut entry, GameKind::Chess, "[Event \"1\"]");
        keep(&mut old.clone().into(), GameKind::Tridim, "old");
        keep(&mut entry, GameKind::Chess, "[Event \"2\"]");
        assert_eq!(
            library.games().expect("a folder"),
            [new.clone(), old.clone()]
        );
        for (id, kind, text) in [
            (&new, GameKind::Chess, "[Event \"2\"]"),
            (&old, GameKind::Tridim, "old"),
        ] {
            let found = library.read(id).expect("read");
            assert_eq!(found, Some((kind, text.to_owned())));
        }
        let one = [old.clone()];
        library.delete(&one).expect("deleted");
        library.delete(&one).expect("another page was faster");
        assert!(library.read(&old).is_err());
        assert_eq!(library.find(&old).expect("no game"), None);
        // A writer that was killed, of another game.
        let games = library.folder().expect("a folder");
        let abandoned = games.join("20260101-120000000-9.pgn.123.new");
        fs::write(&abandoned, "1. e4").expect("written");
        keep(&mut entry, GameKind::Chess, "[Event \"3\"]");
        assert!(!abandoned.exists());
        // Other files are not games.
        fs::write(games.join("notes.pgn"), "").expect("written");
        assert_eq!(library.games().expect("a folder"), [new]);
    }

    #[test]
    fn names_lead_nowhere_else() {
        assert_ne!(GameId::now(), GameId::now());
        let now = GameId::now();
        assert_eq!(id(&now.to_string()), now);
        for invalid in ["", "-1", "../1", "1/2", "1.pgn", "game", &"1".repeat(41)] {
            assert!(GameId::try_from(invalid.to_owned()).is_err(), "{invalid}");
        }
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let library = Library::default();
        let kept = library.keep(&mut Entry::default(), GameKind::Chess, "x");
        assert!(kept.is_ok_and(|kept| kept == Kept::Here));
        assert_eq!(library.games().expect("a folder"), []);
        assert!(
            library
                .read(&GameId::now())
                .is_ok_and(|found| found.is_none())
        );
    }
}
