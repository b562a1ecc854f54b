//! Positions under test, and random moves.

use common::rng::SplitMix64;
use tridim::{Color, Move, Pin, Position, Rules, Square};

pub(crate) const NO_ROTATION: Rules = Rules { rotation: false };
pub(crate) const ROTATION: Rules = Rules { rotation: true };

/// Parses a position.
pub(crate) fn position(text: &str) -> Position {
    position_under(text, NO_ROTATION)
}

pub(crate) fn position_under(text: &str, rules: Rules) -> Position {
    Position::from_text(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn pin(name: &str) -> Pin {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The position after moves in notation, each of which must be legal.
pub(crate) fn after(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(*position, |position, text| {
        let mv = position.read_move(text);
        let mv: Move = mv.unwrap_or_else(|error| panic!("{text} in {position}: {error}"));
        position.play_unchecked(mv)
    })
}

/// The error of a move that must be illegal.
pub(crate) fn error_of(position: &Position, text: &str) -> String {
    match position.read_move(text) {
        Ok(mv) => panic!("{text} is legal in {position}: {mv:?}"),
        Err(error) => error.to_string(),
    }
}

/// The legal moves without check and mate marks, in alphabetical order.
pub(crate) fn legal(position: &Position) -> Vec<String> {
    let moves = position.legal_moves().into_iter();
    let mut names: Vec<String> = moves.map(|mv| position.bare_notation(mv)).collect();
    names.sort_unstable();
    names
}

/// The destinations of the piece on a square, in alphabetical order.
pub(crate) fn destinations(position: &Position, from: &str) -> Vec<String> {
    let from = square(from);
    let mut destinations: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter_map(|mv| match mv {
            Move::Piece {
                from: start, to, ..
            } if start == from => Some(to.to_string()),
            _ => None,
        })
        .collect();
    destinations.sort_unstable();
    destinations.dedup();
    destinations
}

/// A legal move, preferring the rarer kinds: board moves, castling and promotions.
pub(crate) fn random_move(rng: &mut SplitMix64, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let is_rare = |mv: &Move| {
        !matches!(
            mv,
            Move::Piece {
                promotion: None,
                ..
            }
        )
    };
    let rare: Vec<Move> = moves.iter().copied().filter(is_rare).collect();
    let among = match rng.below(5) {
        0 if !rare.is_empty() => &rare,
        _ => &moves,
    };
    among.get(rng.below(among.len())).copied()
}

/// Returns any legal move, all equally likely.
pub(crate) fn any_move(rng: &mut SplitMix64, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    moves.get(rng.below(moves.len())).copied()
}

/// Builds a position from the point of view of the side to move. Everything is written for White
/// and mirrored for Black, so that every test covers both sides.
#[derive(Clone)]
pub(crate) struct PositionBuilder {
    us: Color,
    /// Boards as pin and owner, from White's point of view.
    boards: Vec<(String, char)>,
    pieces: Vec<(char, String, bool)>,
    number: u16,
    activated: Option<String>,
    rules: Rules,
}

impl PositionBuilder {
    /// All boards on their home pins, move 2, no pieces.
    pub(crate) fn new(us: Color) -> Self {
        let home = [("QL1", 'w'), ("KL1", 'w'), ("QL6", 'b'), ("KL6", 'b')];
        Self {
            us,
            boards: home.map(|(pin, owner)| (pin.to_owned(), owner)).to_vec(),
            pieces: Vec::new(),
            number: 2,
            activated: None,
            rules: NO_ROTATION,
        }
    }

    /// Adds pieces: `K d0KL1,P+ a2W`; `+` marks a piece that has not moved.
    pub(crate) fn with(mut self, pieces: &str) -> Self {
        for pair in pieces.split(',') {
            let (piece, at) = pair.trim().split_once(' ').expect("a piece and a square");
            let letter = piece.chars().next().expect("a letter");
            self.pieces
                .push((letter, at.to_owned(), piece.ends_with('+')));
        }
        self
    }

    /// Removes the piece on a square.
    pub(crate) fn without(mut self, at: &str) -> Self {
        self.pieces.retain(|(_, square, _)| square != at);
        self
    }

    pub(crate) fn board(mut self, from: &str, to: &str) -> Self {
        for (pin, _) in &mut self.boards {
            if pin == from {
                *pin = to.to_owned();
            }
        }
        self
    }

    /// Exchanges the owners of two boards.
    pub(crate) fn swap_owners(mut self, one: &str, other: &str) -> Self {
        let mut owners = Vec::new();
        for (pin, owner) in &mut self.boards {
            if pin == one || pin == other {
                *owner = if *owner == 'w' { 'b' } else { 'w' };
                owners.push(*owner);
            }
        }
        assert!(
            owners.contains(&'w') && owners.contains(&'b'),
            "one of each"
        );
        self
    }

    pub(crate) const fn number(mut self, number: u16) -> Self {
        self.number = number;
        self
    }

    pub(crate) fn activated(mut self, pin: &str) -> Self {
        self.activated = Some(pin.to_owned());
        self
    }

    pub(crate) const fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Mirrors the name of a square or pin if Black is to move.
    pub(crate) fn name(&self, white: &str) -> String {
        match self.us {
            Color::White => white.to_owned(),
            Color::Black => mirrored(white),
        }
    }

    pub(crate) fn square(&self, white: &str) -> Square {
        square(&self.name(white))
    }

    pub(crate) fn pin(&self, white: &str) -> Pin {
        pin(&self.name(white))
    }

    /// Parses the position.
    pub(crate) fn position(&self) -> Position {
        let text = self.text();
        position_under(&text, self.rules)
    }

    pub(crate) fn text(&self) -> String {
        let us_white = self.us == Color::White;
        let own = |letter: char| match us_white {
            true => letter,
            false if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let pieces: Vec<(String, String)> = self
            .pieces
            .iter()
            .map(|(letter, at, unmoved)| {
                let mark = if *unmoved { "+" } else { "" };
                (self.name(at), format!("{}{mark}", own(*letter)))
            })
            .collect();
        let mut parts = Vec::new();
        let mut names = vec!["W".to_owned(), "N".to_owned(), "B".to_owned()];
        for (pin, owner) in &self.boards {
            let owner = match (us_white, owner) {
                (true, &owner) => owner,
                (false, 'w') => 'b',
                (false, _) => 'w',
            };
            names.push(format!("{}{owner}", self.name(pin)));
        }
        for name in names {
            let board = name.trim_end_matches(['w', 'b']);
            parts.push(format!("{name}:{}", ranks(board, &pieces)));
        }
        let side_to_move = if us_white { 'w' } else { 'b' };
        let activated = self
            .activated
            .as_ref()
            .map(|pin| format!("@{}", self.name(pin)));
        let activated = activated.unwrap_or_default();
        format!(
            "{} {side_to_move}{activated} - 0 {}",
            parts.join(","),
            self.number
        )
    }
}

/// The ranks of a board in the text format.
fn ranks(board: &str, pieces: &[(String, String)]) -> String {
    let (files, lowest) = match board {
        "W" => ("abcd", 1),
        "N" => ("abcd", 3),
        "B" => ("abcd", 5),
        _ => {
            let level = usize::from(board.as_bytes()[2] - b'1');
            let files = if board.starts_with('Q') { "za" } else { "de" };
            (files, [0, 4, 2, 6, 4, 8][level])
        }
    };
    let rows = (lowest..lowest + files.len()).rev().map(|rank| {
        let row: String = files
            .chars()
            .map(|file| {
                let name = format!("{file}{rank}{board}");
                let piece = pieces.iter().find(|(at, _)| *at == name);
                piece.map_or("1", |(_, letter)| letter.as_str()).to_owned()
            })
            .collect();
        // The format counts runs of empty squares.
        row.replace("1111", "4")
            .replace("111", "3")
            .replace("11", "2")
    });
    rows.collect::<Vec<_>>().join("/")
}

/// Mirrors a pin or square.
fn mirrored(name: &str) -> String {
    let mirror_board = |board: &str| match board {
        "W" => "B".to_owned(),
        "B" => "W".to_owned(),
        "N" => "N".to_owned(),
        pin => format!("{}{}", &pin[..2], 7 - (pin.as_bytes()[2] - b'0')),
    };
    if name.starts_with(['Q', 'K']) {
        return mirror_board(name);
    }
    let rank = name.as_bytes()[1] - b'0';
    format!("{}{}{}", &name[..1], 9 - rank, mirror_board(&name[2..]))
}
