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
}
