//! Names and ECO codes of openings.
//!
//! `openings.tsv` was written for Castellan: one opening per line, with its ECO code, its name and
//! the moves that lead to it. The names are those in common use.

use std::collections::HashMap;
use std::sync::LazyLock;

use movegen::{Move, Position};

const TABLE: &str = include_str!("openings.tsv");

/// ECO code and name.
pub type Opening = (&'static str, &'static str);

/// The openings by the key of the position they lead to.
static OPENINGS: LazyLock<HashMap<u64, Opening>> =
    LazyLock::new(|| TABLE.lines().filter_map(parse).collect());

/// Parses a line; `None` if it is invalid, which a test rules out.
fn parse(line: &'static str) -> Option<(u64, Opening)> {
    let mut fields = line.split('\t');
    let opening = (fields.next()?, fields.next()?);
    let mut position = Position::default();
    for san in fields.next()?.split(' ') {
        position = position.play_unchecked(position.move_from_san(san).ok()?);
    }
    Some((position.key(), opening))
}

/// Returns the opening of a game: that of its last position which has a name.
pub fn find(start: &Position, moves: impl IntoIterator<Item = Move>) -> Option<Opening> {
    let mut position = *start;
    let named = moves.into_iter().filter_map(|mv| {
        position = position.play_unchecked(mv);
        OPENINGS.get(&position.key()).copied()
    });
    named.last()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use movegen::{Game, Position};

    use super::{TABLE, find, parse};

    #[test]
    fn every_line_is_valid_and_leads_to_its_own_position() {
        let (mut keys, mut names) = (HashSet::new(), HashSet::new());
        for line in TABLE.lines() {
            let (key, (eco, name)) = parse(line).unwrap_or_else(|| panic!("invalid: {line}"));
            let (volume, number) = eco.split_at(1);
            assert!(matches!(volume, "A" | "B" | "C" | "D" | "E"), "{line}");
            assert!(number.len() == 2 && number.parse::<u8>().is_ok(), "{line}");
            assert!(keys.insert(key), "the position has two names: {line}");
            assert!(names.insert(name), "two positions have this name: {line}");
        }
        assert!(keys.len() > 400, "{}", keys.len());
    }

    fn opening(moves: &str) -> Option<(&'static str, &'static str)> {
        let mut game = Game::new(Position::default());
        for san in moves.split(' ') {
            let mv = game.position().move_from_san(san).expect(san);
            game.push(mv).expect("legal");
        }
        find(&Position::default(), game.moves())
    }

    #[test]
    fn the_last_named_position_counts() {
        for (moves, eco, name) in [
            (
                "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5",
                "C41",
                "Philidor Defense",
            ),
            (
                "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h3",
                "B90",
                "Sicilian Defense: Najdorf Variation",
            ),
            // A transposition.
            (
                "d4 e6 e4 d5 Nc3 Bb4 a4",
                "C15",
                "French Defense: Winawer Variation",
            ),
        ] {
            assert_eq!(opening(moves), Some((eco, name)), "{moves}");
        }
        assert_eq!(
            opening("a4 a5 Na3 Na6 Nb1 Nb8 h3 h6").map(|found| found.0),
            Some("A00")
        );
    }
}
