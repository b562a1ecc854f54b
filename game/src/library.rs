//! The games that were played here: a folder with a file for each, PGN or a saved game of Tri-D.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use common::files::{self, FileError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game_file::state_dir;

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
    const ALL: [GameKind; 2] = [GameKind::Chess, GameKind::Tridim];

    fn extension(self) -> &'static str {
        match self {
            GameKind::Chess => "pgn",
            GameKind::Tridim => "tridim",
        }
    }

    /// The kind of the game in a file.
    fn of(path: &Path) -> Option<GameKind> {
        let mut kinds = GameKind::ALL.into_iter();
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
    pub fn now() -> GameId {
        static GAMES: AtomicU32 = AtomicU32::new(0);
        let number = GAMES.fetch_add(1, Ordering::Relaxed);
        let time = chrono::Utc::now().format("%Y%m%d-%H%M%S%3f");
        GameId(format!("{time}-{number}"))
    }
}

impl TryFrom<String> for GameId {
    type Error = GameIdError;

    fn try_from(text: String) -> Result<GameId, GameIdError> {
        let valid = text.starts_with(|first: char| first.is_ascii_digit())
            && text.len() <= GameId::MAX_LENGTH
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-');
        valid.then_some(GameId(text)).ok_or(GameIdError)
    }
}

impl From<GameId> for String {
    fn from(id: GameId) -> String {
        id.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The folder with the games; without one, nothing is kept.
#[derive(Debug, Clone, Default)]
pub struct Library {
    folder: Option<PathBuf>,
}

impl Library {
    pub fn at(folder: PathBuf) -> Library {
        Library {
            folder: Some(folder),
        }
    }

    /// Beside the saved games of the terminal.
    pub fn of_user() -> Library {
        let folder = state_dir().ok();
        Library {
            folder: folder.map(|folder| folder.join("games")),
        }
    }

    pub fn folder(&self) -> Option<&PathBuf> {
        self.folder.as_ref()
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

    /// Adds a game, or replaces it; returns its file, if there is a folder.
    pub fn keep(
        &self,
        id: &GameId,
        kind: GameKind,
        text: &str,
    ) -> Result<Option<PathBuf>, FileError> {
        let (Some(folder), Some(path)) = (&self.folder, self.path(id, kind)) else {
            return Ok(None);
        };
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
        files::replace(&path, text.as_bytes())?;
        Ok(Some(path))
    }

    /// The kind and the text of a game; `None` if there is no folder.
    pub fn read(&self, id: &GameId) -> Result<Option<(GameKind, String)>, FileError> {
        let Some((kind, path)) = self.existing(id) else {
            return Ok(None);
        };
        let bytes = files::read(&path, MAX_BYTES)?;
        Ok(Some((kind, String::from_utf8_lossy(&bytes).into_owned())))
    }

    /// The same; also `None` for a game that is not there.
    pub fn find(&self, id: &GameId) -> Result<Option<(GameKind, String)>, FileError> {
        match self.read(id) {
            Err(FileError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            read => read,
        }
    }

    /// One that is not there is deleted.
    pub fn delete(&self, id: &GameId) -> Result<(), FileError> {
        match self.existing(id) {
            Some((_, path)) => match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(FileError::write(&path)(error))
                }
                _ => Ok(()),
            },
            None => Ok(()),
        }
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
            let name = path.file_stem().and_then(OsStr::to_str);
            if let Some(name) = name.filter(|_| GameKind::of(&path).is_some()) {
                ids.extend(GameId::try_from(name.to_owned()));
            }
        }
        ids.sort_by(|one, other| other.cmp(one));
        Ok(ids)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use test_common::TempDir;

    use super::{GameId, GameKind, Library};

    fn id(text: &str) -> GameId {
        GameId::try_from(text.to_owned()).expect("valid")
    }

    #[test]
    fn games_are_kept_replaced_and_deleted() {
        let folder = TempDir::new("library");
        let library = Library::at(folder.directory().join("new").join("games"));
        assert_eq!(library.games().expect("a folder"), []);
        let (old, new) = (id("20250101-120000000-0"), id("20260101-120000000-0"));
        let keep = |id, kind, text| library.keep(id, kind, text).expect("written");
        keep(&new, GameKind::Chess, "[Event \"1\"]");
        keep(&old, GameKind::Tridim, "old");
        keep(&new, GameKind::Chess, "[Event \"2\"]");
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
        library.delete(&old).expect("deleted");
        library.delete(&old).expect("another page was faster");
        assert!(library.read(&old).is_err());
        assert_eq!(library.find(&old).expect("no game"), None);
        // Other files are not games.
        let games = library.folder().expect("a folder");
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
        let kept = library.keep(&GameId::now(), GameKind::Chess, "x");
        assert!(kept.is_ok_and(|path| path.is_none()));
        assert_eq!(library.games().expect("a folder"), []);
        assert!(
            library
                .read(&GameId::now())
                .is_ok_and(|found| found.is_none())
        );
    }
}
