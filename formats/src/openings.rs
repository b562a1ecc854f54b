//! Names and ECO codes of openings.
//!
//! `openings.tsv` has the names of the data set lichess-org/chess-openings, which is in the public
//! domain (CC0); `scripts/openings.py` writes it. The lines are sorted by their moves: ECO code,
//! name, how many moves are those of the line before, and the moves after them.

use std::collections::HashMap;
use std::sync::LazyLock;

use movegen::{Move, Position};

const TABLE: &str = include_str!("openings.tsv");

/// ECO code and name.
pub type Opening = (&'static str, &'static str);

struct Openings {
    /// By the key of the position that they lead to.
    by_position: HashMap<u64, Opening>,
    /// The name of the shortest line of each ECO code.
    by_code: HashMap<&'static str, &'static str>,
}

static OPENINGS: LazyLock<Openings> = LazyLock::new(|| {
    let mut openings = Openings {
        by_position: HashMap::new(),
        by_code: HashMap::new(),
    };
    let mut shortest: HashMap<&str, usize> = HashMap::new();
    for (opening, line) in lines() {
        let Some(position) = line.last() else {
            continue;
        };
        openings.by_position.insert(position.key(), opening);
        let (code, name) = opening;
        if shortest.get(code).is_none_or(|&plies| line.len() < plies) {
            shortest.insert(code, line.len());
            openings.by_code.insert(code, name);
        }
    }
    openings
});

/// Each opening with the positions after its moves. Ends where a line is invalid, which a test
/// rules out.
fn lines() -> impl Iterator<Item = (Opening, Vec<Position>)> {
    let mut line: Vec<Position> = Vec::new();
    TABLE.lines().map_while(move |row| {
        let mut fields = row.split('\t');
        let opening = (fields.next()?, fields.next()?);
        line.truncate(fields.next()?.parse().ok()?);
        for san in fields.next()?.split(' ') {
            let position = line.last().copied().unwrap_or_default();
            line.push(position.play_unchecked(position.move_from_san(san).ok()?));
        }
        Some((opening, line.clone()))
    })
}

/// Returns the opening of a game: that of its last position which has a name. So it follows
/// transpositions, and stays when later positions have no name.
pub fn find(start: &Position, moves: impl IntoIterator<Item = Move>) -> Option<Opening> {
    let mut position = *start;
    let positions = moves.into_iter().map(|mv| {
        position = position.play_unchecked(mv);
        position
    });
    let positions = std::iter::once(*start).chain(positions);
    let named = positions.filter_map(|one| OPENINGS.by_position.get(&one.key()).copied());
    named.last()
}

/// Returns the name of an ECO code: that of its shortest line.
pub fn name_of(code: &str) -> Option<&'static str> {
    OPENINGS.by_code.get(code).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use movegen::Position;
    use test_common::{game_after, positions::START, table};

    use super::{TABLE, find, lines, name_of};

    #[test]
    fn every_line_is_valid_and_leads_to_its_own_position() {
        let mut keys = HashSet::new();
        for ((eco, name), line) in lines() {
            let (volume, number) = eco.split_at(1);
            assert!(matches!(volume, "A" | "B" | "C" | "D" | "E"), "{name}");
            assert!(number.len() == 2 && number.parse::<u8>().is_ok(), "{name}");
            let key = line.last().expect("a move").key();
            assert!(keys.insert(key), "the position has two names: {name}");
        }
        assert_eq!(keys.len(), TABLE.lines().count());
        assert!(keys.len() > 3500, "{}", keys.len());
    }

    /// Moves, the code, and how the name begins. Black's last move leaves the table in the first;
    /// the third and fourth are transpositions.
    const GAMES: &str = "
        e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7       | C41 | Philidor Defense
        e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Rg1 h6 Rh1  | B90 | Sicilian Defense: Najdorf Variation
        d4 e6 e4 d5 Nc3 Bb4                              | C15 | French Defense: Winawer Variation
        Nf3 Nf6 c4 e6 Nc3 d5 d4                          | D37 | Queen's Gambit Declined: Three Knights
        a4 a5 Na3 Na6 Nb1 Nb8 h3 h6                      | A00 |
    ";

    #[test]
    fn the_last_named_position_counts() {
        for [moves, eco, name] in table(GAMES) {
            let found = find(&Position::default(), game_after(START, moves).moves());
            let (found, found_name) = found.expect(moves);
            assert_eq!(found, eco, "{moves}");
            assert!(found_name.starts_with(name), "{moves}: {found_name}");
        }
        assert_eq!(find(&Position::default(), []), None);
    }

    #[test]
    fn a_code_has_a_name() {
        assert_eq!(name_of("B90"), Some("Sicilian Defense: Najdorf Variation"));
        assert!(name_of("D92").is_some_and(|name| name.starts_with("Grünfeld Defense")));
        assert_eq!((name_of("F00"), name_of("")), (None, None));
        // Every code but some that the data set has no line for.
        let codes = ["A", "B", "C", "D", "E"]
            .iter()
            .flat_map(|volume| (0..100).map(move |number| format!("{volume}{number:02}")));
        let missing: Vec<String> = codes.filter(|code| name_of(code).is_none()).collect();
        assert_eq!(missing, Vec::<String>::new());
    }
}
