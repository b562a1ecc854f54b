//! The names under which the user plays, and so the side they played.

use formats::pgn::{GameResult, Record};
use movegen::Color;
use serde::{Deserialize, Serialize};

/// The name of a user who has told none.
pub const USER: &str = "You";

/// The names under which the user plays; those that are not known are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Names {
    pub own: String,
    pub lichess: String,
    pub chess_com: String,
    /// Other forms of the user's name in files, such as `Byron, A.`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
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

    /// True for a name of the user.
    pub fn include(&self, name: &str) -> bool {
        let name = folded(name);
        let own = [USER, &self.own, &self.lichess, &self.chess_com].into_iter();
        let mut own = own.chain(self.others.iter().map(String::as_str));
        !name.is_empty() && own.any(|own| folded(own) == name)
    }

    /// True for a name that has a word of at least four letters in common with one of the user's,
    /// without regard to accents and umlauts: `J. Mueller` resembles `Müller, Jürgen`.
    pub fn resemble(&self, name: &str) -> bool {
        let own = [&self.own, &self.lichess, &self.chess_com].into_iter();
        let mut own = own.chain(&self.others).flat_map(|own| long_words(own));
        let words = long_words(name);
        own.any(|word| words.contains(&word))
    }

    /// Applies the changes between two states of the names to these, which others have changed.
    pub fn merge(&mut self, before: &Self, after: Self) {
        for (name, old, new) in [
            (&mut self.own, &before.own, after.own),
            (&mut self.lichess, &before.lichess, after.lichess),
            (&mut self.chess_com, &before.chess_com, after.chess_com),
        ] {
            if new != *old {
                *name = new;
            }
        }
        let (old, new) = (&before.others, after.others);
        let others = &mut self.others;
        others.retain(|name| !old.contains(name) || new.contains(name));
        let added = new.into_iter().filter(|name| !old.contains(name));
        let added: Vec<String> = added.filter(|name| !others.contains(name)).collect();
        others.extend(added);
    }

    /// Adds the names of another profile: to those that are not known, or to the other forms.
    pub(super) fn add(&mut self, other: Self) {
        for (name, added) in [
            (&mut self.own, &other.own),
            (&mut self.lichess, &other.lichess),
            (&mut self.chess_com, &other.chess_com),
        ] {
            if name.is_empty() {
                name.clone_from(added);
            }
        }
        let Self {
            own,
            lichess,
            chess_com,
            others,
        } = other;
        for name in [own, lichess, chess_com].into_iter().chain(others) {
            if !name.trim().is_empty() && !self.include(&name) {
                self.others.push(name);
            }
        }
    }
}

/// The words of a name that are long enough to tell people apart, as they are written without
/// umlauts and accents.
fn long_words(name: &str) -> Vec<String> {
    let plain: String = folded(name)
        .chars()
        .map(|letter| match letter {
            'ä' | 'æ' => "ae".to_owned(),
            'ö' | 'ø' | 'œ' => "oe".to_owned(),
            'ü' => "ue".to_owned(),
            'ß' => "ss".to_owned(),
            'á' | 'à' | 'â' | 'ã' | 'å' => "a".to_owned(),
            'é' | 'è' | 'ê' | 'ë' => "e".to_owned(),
            'í' | 'ì' | 'î' | 'ï' => "i".to_owned(),
            'ó' | 'ò' | 'ô' | 'õ' => "o".to_owned(),
            'ú' | 'ù' | 'û' => "u".to_owned(),
            'ç' | 'č' | 'ć' => "c".to_owned(),
            'š' | 'ś' => "s".to_owned(),
            'ž' | 'ź' | 'ż' => "z".to_owned(),
            'ñ' | 'ń' => "n".to_owned(),
            'ł' => "l".to_owned(),
            letter => letter.to_string(),
        })
        .collect();
    let words = plain.split(|letter: char| !letter.is_alphanumeric());
    let long = words.filter(|word| word.chars().count() >= 4);
    long.map(str::to_owned).collect()
}

/// The points of a side: 0, 1 or 2 halves; `None` without a result.
pub fn half_points(result: GameResult, side: Color) -> Option<u8> {
    match result {
        GameResult::Won(winner) => Some(if winner == side { 2 } else { 0 }),
        GameResult::Drawn => Some(1),
        GameResult::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use formats::pgn::Record;
    use movegen::{Color, Position};

    use super::Names;

    #[test]
    fn the_user_is_found_by_any_name() {
        let names = Names {
            own: "Ada Byron".to_owned(),
            lichess: "ada_b".to_owned(),
            others: vec!["Byron, A.".to_owned()],
            ..Names::default()
        };
        for (white, black, side) in [
            ("ada byron", "Bo", Some(Color::White)),
            ("Bo", " Ada_B", Some(Color::Black)),
            ("You", "Castellan 1.0", Some(Color::White)),
            ("Bo", "byron, a.", Some(Color::Black)),
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
    fn changes_of_two_writers_are_merged() {
        let names = |own: &str, lichess: &str, others: &[&str]| Names {
            own: own.to_owned(),
            lichess: lichess.to_owned(),
            others: others.iter().map(|name| (*name).to_owned()).collect(),
            ..Names::default()
        };
        let before = names("Ada", "", &["A. B.", "Byron"]);
        let mut kept = names("Ada", "ada_b", &["A. B.", "Byron", "Lovelace"]);
        kept.merge(&before, names("Ada B.", "", &["A. B.", "King"]));
        let expected = names("Ada B.", "ada_b", &["A. B.", "Lovelace", "King"]);
        assert_eq!(kept, expected);
    }

    #[test]
    fn forms_of_a_name_resemble_each_other() {
        let resemble = |own: &str, name: &str| {
            let own = own.to_owned();
            let names = Names {
                own,
                ..Names::default()
            };
            names.resemble(name)
        };
        assert!(resemble("Müller, Jürgen", "J. Mueller"));
        assert!(resemble("J. Mueller", "MÜLLER, J"));
        assert!(resemble("Łukasz Nowák", "Nowak,L"));
        assert!(!resemble("Müller, Jürgen", "Muster, J"));
        assert!(!resemble("", ""));
        assert!(!resemble("Li, Bo", "Li, Wei"));
    }
}
