//! The user's repertoire: one move in each position that is theirs to move, by which a color is
//! told. Its lines follow from the positions: between two of them the opponent has a legal move.

use std::collections::{BTreeMap, HashSet};

use formats::notation;
use formats::pgn::Record;
use movegen::{Color, Move, Position};
use serde::{Deserialize, Serialize};

use crate::tree::{ROOT, Tree};

/// Names a position whatever games it occurs in: a FEN without its counters.
pub fn position_key(position: &Position) -> String {
    let fen = notation::fen(position, position.variant());
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

/// A position of the repertoire with the moves that lead there from the initial position.
#[derive(Debug, Clone)]
pub struct KnownMove {
    pub path: Vec<Move>,
    pub position: Position,
    pub mv: Move,
}

/// The number of moves that an import has added, and of those for which there is another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    pub added: usize,
    pub other: usize,
}

/// The moves in UCI notation, by the keys of their positions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Repertoire(BTreeMap<String, String>);

impl Repertoire {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The move in a position.
    pub fn get(&self, position: &Position) -> Option<Move> {
        if self.is_empty() {
            return None;
        }
        let text = self.0.get(&position_key(position))?;
        position.move_from_uci(text).ok()
    }

    fn set(&mut self, position: &Position, mv: Move) {
        let text = mv.uci(position.variant()).to_string();
        self.0.insert(position_key(position), text);
    }

    /// Makes the moves of a side in a line from the initial position those of the repertoire.
    pub fn mark(&mut self, side: Color, line: &[Move]) {
        let start = Position::default();
        let moves = notation::legal_moves(&start, line.iter().copied());
        for (position, mv) in moves.filter(|(position, _)| position.side_to_move() == side) {
            self.set(&position, mv);
        }
    }

    /// Removes the move in a position. Those after it stay, but are in no line until another move
    /// leads to them.
    pub fn remove(&mut self, position: &Position) {
        self.0.remove(&position_key(position));
    }

    /// The positions of a side to which its own moves lead, each behind those before it.
    pub fn lines(&self, side: Color) -> Vec<KnownMove> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![(Vec::new(), Position::default())];
        while let Some((path, position)) = open.pop() {
            if !seen.insert(position.key()) {
                continue;
            }
            let after = |mv: Move| {
                let path = path.iter().copied().chain([mv]).collect();
                (path, position.play_unchecked(mv))
            };
            if position.side_to_move() != side {
                let replies = position.legal_moves();
                let known = replies.iter().rev().map(|&mv| after(mv));
                open.extend(known.filter(|(_, next)| self.get(next).is_some()));
            } else if let Some(mv) = self.get(&position) {
                open.push(after(mv));
                found.push(KnownMove { path, position, mv });
            }
        }
        found
    }

    /// Adds the moves of a side in a game and its variations. A position that has a move keeps it.
    pub fn add(&mut self, side: Color, record: Record) -> Imported {
        let mut imported = Imported::default();
        let tree = Tree::new(record);
        for (_, node) in tree.nodes() {
            let Some((parent, mv)) = node.parent.zip(node.mv) else {
                continue;
            };
            let position = tree.position(parent);
            if position.side_to_move() == side {
                match self.get(position) {
                    None => {
                        self.set(position, mv);
                        imported.added += 1;
                    }
                    Some(known) => imported.other += usize::from(known != mv),
                }
            }
        }
        imported
    }

    /// The lines of a side as a game with variations.
    pub fn pgn(&self, side: Color) -> String {
        let mut text = String::new();
        let mut tree = Tree::new(Record::new(Position::default()));
        tree.record
            .tags
            .set("Event", format!("Repertoire of {side}"));
        let empty = tree.clone();
        for KnownMove { path, mv, .. } in self.lines(side) {
            let moves = path.into_iter().chain([mv]);
            let add = |tree: &mut Tree| moves.clone().try_fold(ROOT, |id, mv| tree.add(id, mv));
            if add(&mut tree).is_err() {
                // Variations are nested too deep: it goes on in another game.
                text += &tree.record().pgn();
                tree = empty.clone();
                let _ = add(&mut tree);
            }
        }
        text + &tree.record().pgn()
    }

    /// Applies the changes between two states to this one.
    pub(crate) fn merge(&mut self, before: &Self, after: Self) {
        self.0
            .retain(|key, _| !before.0.contains_key(key) || after.0.contains_key(key));
        let is_new = |(key, mv): &(String, String)| before.0.get(key) != Some(mv);
        self.0.extend(after.0.into_iter().filter(is_new));
    }

    /// Adds the moves of another one in positions that have none.
    pub(crate) fn import(&mut self, other: Self) {
        for (key, mv) in other.0 {
            self.0.entry(key).or_insert(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use movegen::{Color, Move, Position};
    use test_common::{game_after, positions::START};

    use super::{Imported, Repertoire};
    use crate::library::record;

    fn line(moves: &str) -> Vec<Move> {
        game_after(START, moves).moves().collect()
    }

    /// The lines in SAN.
    fn lines(repertoire: &Repertoire, side: Color) -> Vec<String> {
        let lines = repertoire.lines(side).into_iter().map(|known| {
            let moves = known.path.into_iter().chain([known.mv]);
            formats::notation::san_moves(&Position::default(), moves).join(" ")
        });
        lines.collect()
    }

    #[test]
    fn lines_follow_from_the_positions() {
        let mut repertoire = Repertoire::default();
        repertoire.mark(Color::Black, &line("e4 c5 Nf3 d6"));
        repertoire.mark(Color::Black, &line("Nf3 c5 e4 d6 d4 cxd4"));
        // A move of White after the last of Black's is not theirs.
        repertoire.mark(Color::Black, &line("d4 Nf6 c4"));
        let black = lines(&repertoire, Color::Black);
        for expected in ["e4 c5", "d4 Nf6", "Nf3 c5"] {
            assert!(black.contains(&expected.to_owned()), "{black:?}");
        }
        // The transposition is one position.
        assert_eq!(black.len(), 5, "{black:?}");
        assert_eq!(lines(&repertoire, Color::White), [""; 0]);
        // One move in each position: what followed the other one is in no line.
        repertoire.mark(Color::Black, &line("e4 e5"));
        repertoire.remove(game_after(START, "Nf3").position());
        let mut black = lines(&repertoire, Color::Black);
        black.sort();
        assert_eq!(black, ["d4 Nf6", "e4 e5"]);
    }

    #[test]
    fn changes_are_merged_and_others_added() {
        let repertoire = |moves: &[(&str, &str)]| {
            let moves = moves
                .iter()
                .map(|&(key, mv)| (key.to_owned(), mv.to_owned()));
            Repertoire(moves.collect())
        };
        let before = repertoire(&[("x", "e2e3"), ("y", "e2e3"), ("z", "e2e3")]);
        // Others have changed x and y, and added one.
        let mut kept = repertoire(&[("x", "e2e4"), ("y", "e2e4"), ("z", "e2e3"), ("new", "e2e4")]);
        kept.merge(
            &before,
            repertoire(&[("x", "e2e3"), ("z", "d2d3"), ("more", "e2e3")]),
        );
        let merged = [
            ("x", "e2e4"),
            ("z", "d2d3"),
            ("new", "e2e4"),
            ("more", "e2e3"),
        ];
        assert_eq!(kept, repertoire(&merged));
        kept.import(repertoire(&[("x", "a2a3"), ("y", "a2a3")]));
        assert_eq!(kept, repertoire(&[&merged[..], &[("y", "a2a3")]].concat()));
    }

    #[test]
    fn pgn_is_imported_and_exported() {
        let pgn = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) d6 3. d4) 2. Nf3 *";
        let mut repertoire = Repertoire::default();
        repertoire.mark(Color::White, &line("e4 e5 Bc4"));
        let imported = repertoire.add(Color::White, record(pgn).expect("valid"));
        // After 1... e5 the bishop's move stays, after 1... c5 that of the main line.
        assert_eq!(imported, Imported { added: 2, other: 2 });
        let exported = repertoire.pgn(Color::White);
        assert!(exported.contains("Repertoire of White"), "{exported}");
        let mut copy = Repertoire::default();
        let imported = copy.add(Color::White, record(&exported).expect("valid"));
        assert_eq!(imported, Imported { added: 4, other: 0 });
        assert_eq!(copy, repertoire);
        let mut white = lines(&copy, Color::White);
        white.sort();
        assert_eq!(white, ["e4", "e4 c5 Nf3", "e4 c5 Nf3 d6 d4", "e4 e5 Bc4"]);
    }
}
