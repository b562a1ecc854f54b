//! Positions under test, and random moves.

use std::collections::BTreeSet;

use test_common::{Rng, table};
use tridim::{Color, Move, Pin, Position, Rules, Square};

pub(crate) const NO_ROTATION: Rules = Rules { rotation: false };
pub(crate) const ROTATION: Rules = Rules { rotation: true };
/// White mates in one with c5-z8.
pub(crate) const MATE_IN_ONE: &str =
    "W:4/4/4/K3,N:4/2Q1/4/4,B:4/1N2/4/4,QL1w:2/2,KL1w:2/2,QL6b:k1/2,KL6b:2/2 w -";
/// White is a rook up.
pub(crate) const ROOK_ENDING: &str =
    "W:4/4/4/R1K1,N:4/4/4/4,B:1k2/4/4/4,QL1w:2/2,KL1w:2/2,QL6b:2/2,KL6b:2/2 w -";

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
        let mv: Move = position
            .read_move(text)
            .unwrap_or_else(|error| panic!("{text} in {position}: {error}"));
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
    names.dedup();
    names
}

/// Returns a legal move, preferring the rarer kinds: board moves, castling and promotions.
pub(crate) fn random_move(rng: &mut Rng, position: &Position) -> Option<Move> {
    let mut moves = position.legal_moves();
    if rng.below(5) == 0 {
        moves.retain(|mv| {
            !matches!(
                mv,
                Move::Piece {
                    promotion: None,
                    ..
                }
            )
        });
    }
    if moves.is_empty() {
        let moves = position.legal_moves();
        (!moves.is_empty()).then(|| *rng.choose(&moves))
    } else {
        Some(*rng.choose(&moves))
    }
}

/// A position from the point of view of the side to move. Squares, pins, moves and messages are
/// written for White and mirrored for Black, so that every test covers both sides.
pub(crate) struct Scene {
    us: Color,
    text: String,
}

/// A position with White to move: `K d0KL1,P+ a2W,QL6>KL2`. `+` marks a piece that has not moved.
/// Boards are on their home pins, unless `QL1>QL2`, and of their owners, unless `QL1=QL6` exchanges
/// those of two; `@QL1` activates one, and `#1` is the number of the move, otherwise 2.
pub(crate) fn white(spec: &str) -> Scene {
    Scene::new(Color::White, spec)
}

/// The position with White to move, and mirrored with Black to move.
pub(crate) fn both(spec: &str) -> [Scene; 2] {
    Color::ALL.map(|us| Scene::new(us, spec))
}

impl Scene {
    fn new(us: Color, spec: &str) -> Self {
        let name = |text: &str| match us {
            Color::White => text.to_owned(),
            Color::Black => mirrored(text),
        };
        let exchanged = |letter: char| match us {
            Color::White => letter,
            Color::Black if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
            Color::Black => letter.to_ascii_uppercase(),
        };
        let mut boards = [("QL1", 'W'), ("KL1", 'W'), ("QL6", 'B'), ("KL6", 'B')];
        let (mut pieces, mut number, mut activated) = (Vec::new(), "2", String::new());
        for item in spec.split(',').map(str::trim) {
            if let Some((piece, at)) = item.split_once(' ') {
                pieces.push((name(at), piece.chars().map(exchanged).collect::<String>()));
            } else if let Some((from, to)) = item.split_once('>') {
                boards
                    .iter_mut()
                    .filter(|(pin, _)| *pin == from)
                    .for_each(|board| board.0 = to);
            } else if let Some((one, other)) = item.split_once('=') {
                for (pin, owner) in &mut boards {
                    if *pin == one || *pin == other {
                        *owner = if *owner == 'W' { 'B' } else { 'W' };
                    }
                }
            } else if let Some(pin) = item.strip_prefix('@') {
                activated = format!("@{}", name(pin));
            } else {
                number = item.strip_prefix('#').expect(item);
            }
        }
        let main = ["W", "N", "B"].map(|board| format!("{board}:{}", ranks(board, &pieces)));
        let attack = boards.iter().map(|(pin, owner)| {
            let (pin, is_whites) = (name(pin), (*owner == 'W') == (us == Color::White));
            let owner = if is_whites { 'w' } else { 'b' };
            format!("{pin}{owner}:{}", ranks(&pin, &pieces))
        });
        let boards: Vec<String> = main.into_iter().chain(attack).collect();
        let side = us.letter();
        let text = format!("{} {side}{activated} - 0 {number}", boards.join(","));
        Self { us, text }
    }

    /// The side to move.
    pub(crate) const fn us(&self) -> Color {
        self.us
    }

    /// Mirrors the squares, pins, colors and ranks in a text if Black is to move.
    pub(crate) fn name(&self, white: &str) -> String {
        match self.us {
            Color::White => white.to_owned(),
            Color::Black => mirrored(white),
        }
    }

    pub(crate) fn square(&self, white: &str) -> Square {
        square(&self.name(white))
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn position(&self) -> Position {
        position(&self.text)
    }

    /// The position after moves.
    pub(crate) fn after(&self, moves: &str) -> Position {
        after(&self.position(), &self.name(moves))
    }

    /// The error of a move that must be illegal.
    pub(crate) fn error(&self, mv: &str) -> String {
        self.name(&error_of(&self.position(), &self.name(mv)))
    }
}

/// The boards of a position in any order, without the side to move and the numbers.
pub(crate) fn boards(text: &str) -> BTreeSet<&str> {
    let boards = text.split(' ').next().unwrap_or_default();
    boards.split(',').collect()
}

/// Asserts the error of a move in each position of a table: `K b1W,k b8B | QL2-QL3 | the error`, for
/// both sides.
pub(crate) fn assert_errors(rows: &str) {
    for [spec, mv, expected] in table(rows) {
        for scene in both(spec) {
            assert_eq!(scene.error(mv), expected, "{mv} in {}", scene.text());
        }
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
        let letter = |file| {
            let name = format!("{file}{rank}{board}");
            let piece = pieces.iter().find(|(at, _)| *at == name);
            piece.map_or("1", |(_, letter)| letter.as_str())
        };
        let row: String = files.chars().map(letter).collect();
        // The format counts runs of empty squares.
        row.replace("1111", "4")
            .replace("111", "3")
            .replace("11", "2")
    });
    rows.collect::<Vec<_>>().join("/")
}

/// Mirrors the squares, pins, colors and ranks in a text.
fn mirrored(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let (length, mirror) = match rest.as_bytes() {
            [b'z' | b'a'..=b'e', rank @ b'0'..=b'9', tail @ ..] => match board_length(tail) {
                0 => (1, next.to_string()),
                length => {
                    let board = mirrored_board(&rest[2..2 + length]);
                    (2 + length, format!("{next}{}{board}", b'9' - rank))
                }
            },
            bytes if board_length(bytes) == 3 => (3, mirrored_board(&rest[..3])),
            _ if rest.starts_with("White") => (5, "Black".to_owned()),
            _ if rest.starts_with("Black") => (5, "White".to_owned()),
            [b'r', b'a', b'n', b'k', b' ', rank @ b'0'..=b'9', ..] => {
                (6, format!("rank {}", b'9' - rank))
            }
            _ => (next.len_utf8(), next.to_string()),
        };
        out.push_str(&mirror);
        rest = &rest[length..];
    }
    out
}

/// The length of the name of a board at the start of a text, or 0.
fn board_length(text: &[u8]) -> usize {
    match text {
        [b'W' | b'N' | b'B', ..] => 1,
        [b'Q' | b'K', b'L', b'1'..=b'6', ..] => 3,
        _ => 0,
    }
}

fn mirrored_board(board: &str) -> String {
    match board.as_bytes() {
        b"W" => "B".to_owned(),
        b"B" => "W".to_owned(),
        [_, _, level] => format!("{}{}", &board[..2], 7 - (level - b'0')),
        _ => board.to_owned(),
    }
}
