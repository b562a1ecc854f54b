//! The user's own chess: the names they play under, kept as one JSON file in the folder of the library.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use common::files::{self, FileError};
use formats::pgn::{GameResult, Record};
use movegen::Color;
use serde::{Deserialize, Serialize};

use crate::library::Library;

/// The name of a user who has told none.
pub const USER: &str = "You";

const FILE: &str = "profile.json";
/// More than any profile needs.
const MAX_BYTES: u64 = 1 << 26;

/// The names under which the user plays; those that are not known are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Names {
    pub own: String,
    pub lichess: String,
    pub chess_com: String,
}

impl Names {
    /// The side that the user played; `None` if neither, or both.
    pub fn side(&self, record: &Record) -> Option<Color> {
        let is_own = |color: Color| {
            let name = record.tags.get(&color.to_string());
            name.is_some_and(|name| self.include(name))
        };
        match Color::ALL.map(is_own) {
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }

    fn include(&self, name: &str) -> bool {
        let folded = |name: &str| name.trim().to_lowercase();
        let own = [USER, &self.own, &self.lichess, &self.chess_com].map(folded);
        own.iter()
            .any(|own| !own.is_empty() && *own == folded(name))
    }
}

/// The points of a side: 0, 1 or 2 halves; `None` without a result.
pub fn half_points(result: GameResult, side: Color) -> Option<u8> {
    match result {
        GameResult::Won(winner) => Some(if winner == side { 2 } else { 0 }),
        GameResult::Drawn => Some(1),
        GameResult::Unknown => None,
    }
}

/// What is kept of the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    pub names: Names,
}

impl Profile {
    /// The profile in the folder of a library; an empty one if there is none.
    pub fn read(library: &Library) -> Result<Profile, FileError> {
        match library.folder() {
            Some(folder) => read(&folder.join(FILE)),
            None => Ok(Profile::default()),
        }
    }

    /// Changes the profile that is kept. One that cannot be read is left alone.
    pub fn change(library: &Library, change: impl FnOnce(&mut Profile)) -> Result<(), FileError> {
        /// Pages of one program change it one after the other.
        static CHANGES: Mutex<()> = Mutex::new(());
        let Some(folder) = library.folder() else {
            return Ok(());
        };
        let _changing = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
        let path = folder.join(FILE);
        let before = read(&path)?;
        let mut profile = before.clone();
        change(&mut profile);
        if profile == before {
            return Ok(());
        }
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
        let text = serde_json::to_string_pretty(&profile);
        let text = text.map_err(|error| FileError::write(&path)(error.into()))?;
        files::replace(&path, format!("{text}\n").as_bytes())
    }
}

fn read(path: &Path) -> Result<Profile, FileError> {
    match files::read(path, MAX_BYTES) {
        Err(FileError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => {
            Ok(Profile::default())
        }
        bytes => {
            let profile = serde_json::from_slice(&bytes?);
            profile.map_err(|error| FileError::read(path)(error.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use formats::pgn::Record;
    use movegen::{Color, Position};
    use test_common::TempDir;

    use super::{Names, Profile};
    use crate::library::Library;

    #[test]
    fn the_user_is_found_by_any_name() {
        let names = Names {
            own: "Ada Byron".to_owned(),
            lichess: "ada_b".to_owned(),
            chess_com: String::new(),
        };
        for (white, black, side) in [
            ("ada byron", "Bo", Some(Color::White)),
            ("Bo", " Ada_B", Some(Color::Black)),
            ("You", "Castellan 1.0", Some(Color::White)),
            ("Ada Byron", "ada_b", None),
            ("Ada", "Bo", None),
            ("", "?", None),
        ] {
            let mut record = Record::new(Position::default());
            record.tags.set("White", white);
            record.tags.set("Black", black);
            assert_eq!(names.side(&record), side, "{white} – {black}");
        }
    }

    #[test]
    fn a_profile_is_kept_and_a_damaged_one_left_alone() {
        let folder = TempDir::new("profile");
        let library = Library::at(folder.directory().join("games"));
        assert_eq!(Profile::read(&library).expect("none"), Profile::default());
        let rename = |name: &str| {
            Profile::change(&library, |profile| name.clone_into(&mut profile.names.own))
        };
        rename("Ada").expect("written");
        let read = Profile::read(&library).expect("read");
        assert_eq!(read.names.own, "Ada");
        assert_eq!(library.games().expect("a folder"), []);
        let path = folder.directory().join("games/profile.json");
        fs::write(&path, "{\"names\": ").expect("written");
        let error = rename("Bo").expect_err("damaged").to_string();
        assert!(
            error.contains("profile.json': EOF") && error.contains("line 1"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).expect("read"), "{\"names\": ");
    }
}
