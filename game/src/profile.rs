//! The user's own chess: the names they play under, the exercises they have answered, and the games
//! that are to be annotated, kept as one JSON file in the folder of the library.

mod names;

use std::io::ErrorKind;
use std::path::Path;

use common::files::{self, FileError};
use serde::{Deserialize, Serialize};

use crate::deck::{Card, Cards};
use crate::library::{GameId, Library};
use crate::repertoire::Repertoire;
pub use names::{Names, USER, half_points};

/// The name of the file.
pub const FILE: &str = "profile.json";
/// More than any profile needs.
const MAX_BYTES: u64 = 1 << 26;

/// The user's names, exercises and settings, which are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    pub names: Names,
    pub exercises: Cards,
    /// The number of exercises a day, if the user has chosen one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub daily: Option<usize>,
    #[serde(skip_serializing_if = "Repertoire::is_empty")]
    pub repertoire: Repertoire,
    pub annotating: Annotating,
}

/// The games of the library that are to be annotated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Annotating {
    /// Per position.
    pub nodes: u64,
    pub games: Vec<GameId>,
}

impl Profile {
    /// The profile in the folder of a library; an empty one if there is none.
    pub fn read(library: &Library) -> Result<Self, FileError> {
        match library.folder() {
            Some(folder) => read(&folder.join(FILE)),
            None => Ok(Self::default()),
        }
    }

    /// Changes the profile that is kept. One that cannot be read is left alone.
    pub fn change(library: &Library, change: impl FnOnce(&mut Self)) -> Result<(), FileError> {
        let Some(folder) = library.folder() else {
            return Ok(());
        };
        let _lock = library.lock()?;
        let path = folder.join(FILE);
        let before = read(&path)?;
        let mut profile = before.clone();
        change(&mut profile);
        if profile == before {
            return Ok(());
        }
        files::replace(&path, profile.json().as_bytes())
    }

    /// Applies the changes between two texts of the profile to the one that is kept, which others
    /// have changed.
    pub fn merge(library: &Library, before: &str, after: &str) -> Result<(), FileError> {
        // A text that cannot be read has no changes.
        let Ok(after) = serde_json::from_str::<Self>(after) else {
            return Ok(());
        };
        let before: Self = serde_json::from_str(before).unwrap_or_default();
        Self::change(library, |kept| {
            kept.names.merge(&before.names, after.names);
            if after.daily != before.daily {
                kept.daily = after.daily;
            }
            kept.repertoire.merge(&before.repertoire, after.repertoire);
            kept.exercises.retain(|key, card| {
                after.exercises.contains_key(key) || before.exercises.get(key) != Some(&*card)
            });
            let is_new = |(key, card): &(String, Card)| before.exercises.get(key) != Some(card);
            kept.exercises
                .extend(after.exercises.into_iter().filter(is_new));
            let (old, new) = (before.annotating.games, after.annotating.games);
            let games = &mut kept.annotating.games;
            games.retain(|id| !old.contains(id) || new.contains(id));
            let added = new.into_iter().filter(|id| !old.contains(id));
            let added: Vec<GameId> = added.filter(|id| !games.contains(id)).collect();
            games.extend(added);
            if after.annotating.nodes != before.annotating.nodes {
                kept.annotating.nodes = after.annotating.nodes;
            }
        })
    }

    /// Adds the exercises and names of another profile to the one that is kept: of each exercise
    /// the card that was changed last, and the names and moves of the repertoire that are not
    /// known. Returns the number of exercises that have changed.
    pub fn import(library: &Library, other: Self) -> Result<usize, FileError> {
        let mut changed = 0;
        Self::change(library, |kept| {
            kept.names.add(other.names);
            kept.repertoire.import(other.repertoire);
            for (key, card) in other.exercises {
                let before = kept.exercises.get(&key).copied();
                let card = before.map_or(card, |before| before.latest(card));
                changed += usize::from(before != Some(card));
                kept.exercises.insert(key, card);
            }
        })?;
        Ok(changed)
    }

    /// The text of the file.
    pub fn json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        // There is nothing in it that JSON does not have.
        text.map_or_else(|_| String::new(), |text| text + "\n")
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
    use std::collections::BTreeMap;
    use std::time::Duration;
    use std::{fs, thread};

    use common::lock::OutputLock;
    use serde_json::json;
    use test_common::TempDir;

    use super::Profile;
    use crate::library::Library;

    #[test]
    fn changes_of_two_writers_are_merged() {
        let folder = TempDir::new("profile of two");
        let library = Library::at(folder.directory().to_owned());
        let text = |own: &str, boxes: &[(&str, u32)], nodes: u64, games: &[&str]| {
            let cards = boxes
                .iter()
                .map(|(key, number)| (*key, json!({"box": number, "due": "2026-03-02"})));
            let cards: BTreeMap<_, _> = cards.collect();
            let names = json!({"own": own});
            let annotating = json!({"nodes": nodes, "games": games});
            let moves = boxes
                .iter()
                .map(|(key, number)| (*key, format!("e2e{number}")));
            let moves: BTreeMap<_, _> = moves.collect();
            let profile = json!({
                "names": names, "exercises": cards, "repertoire": moves, "annotating": annotating,
            });
            profile.to_string()
        };
        let before = text("Ada", &[("a", 1), ("b", 1), ("d", 1)], 100, &["1", "2"]);
        let answered = [("a", 2), ("b", 1), ("c", 1), ("d", 1)];
        let theirs = text("Bo", &answered, 200, &["2", "3"]);
        let mine = text("Ada", &[("a", 1), ("b", 2)], 100, &["1", "4"]);
        fs::write(folder.directory().join("profile.json"), theirs).expect("written");
        Profile::merge(&library, &before, &mine).expect("merged");
        let merged = Profile::read(&library).expect("read");
        let expected = text("Bo", &[("a", 2), ("b", 2), ("c", 1)], 200, &["3", "4"]);
        assert_eq!(merged, serde_json::from_str(&expected).expect("a profile"));
        // An exercise that only the other writer has answered since is not removed.
        let removed = text("Ada", &[("b", 1), ("d", 1)], 300, &["1", "2"]);
        Profile::merge(&library, &before, &removed).expect("merged");
        Profile::merge(&library, &before, "{").expect("nothing to merge");
        let left = Profile::read(&library).expect("read");
        assert_eq!(left.exercises, merged.exercises);
        assert_eq!(left.annotating.nodes, 300);
        assert_eq!(left.names, merged.names);
    }

    #[test]
    fn a_deck_is_merged_by_exercise() {
        let folder = TempDir::new("profile import");
        let library = Library::at(folder.directory().to_owned());
        let profile = |own: &str, cards: serde_json::Value| -> Profile {
            let text = json!({"names": {"own": own}, "exercises": cards}).to_string();
            serde_json::from_str(&text).expect("a profile")
        };
        let right = json!({"box": 3, "due": "2026-03-15", "answered": "2026-03-10"});
        let wrong = json!({"box": 1, "due": "2026-03-03", "answered": "2026-03-02"});
        // Without the day of the answer it follows from the box: the third of March.
        let old = json!({"box": 3, "due": "2026-03-08"});
        let dropped = json!({"box": 1, "due": "2026-03-05", "dropped": true});
        // To defer an exercise is no change, whether it was answered before or not.
        let later = json!({"box": 1, "due": "2026-03-20"});
        let again = json!({"box": 2, "due": "2026-03-20", "answered": "2026-03-01"});
        let kept = profile(
            "Ada",
            json!({
                "a": wrong, "b": right, "c": wrong, "d": wrong, "f": wrong, "g": wrong, "h": later,
            }),
        );
        assert_eq!(Profile::import(&library, kept).expect("kept"), 7);
        let other = profile(
            "Bo",
            json!({
                "a": right, "b": wrong, "c": old, "d": dropped, "e": old, "f": later, "g": again,
                "h": wrong,
            }),
        );
        assert_eq!(Profile::import(&library, other.clone()).expect("kept"), 5);
        let expected = profile(
            "Ada",
            json!({
                "a": right, "b": right, "c": old, "d": dropped, "e": old, "f": wrong, "g": wrong,
                "h": wrong,
            }),
        );
        let merged = Profile::read(&library).expect("read");
        assert_eq!(merged.exercises, expected.exercises);
        assert_eq!(merged.names.own, "Ada");
        assert_eq!(merged.names.others, ["Bo"]);
        assert_eq!(Profile::import(&library, other).expect("kept"), 0);
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
        // Another program changes it.
        fs::remove_file(&path).expect("there");
        let lock = folder.directory().join("games/library");
        let lock = OutputLock::acquire(&lock).expect("free");
        thread::scope(|scope| {
            let renamed = scope.spawn(|| rename("Bo"));
            thread::sleep(Duration::from_millis(50));
            assert!(!path.exists());
            drop(lock);
            renamed.join().expect("no panic").expect("free");
        });
    }
}
