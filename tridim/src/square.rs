//! The boards, and the squares on them by name: a file, a rank and the board.

use crate::column::Column;
use crate::pin::{Flank, Pin};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A board: one of the three that stand still, or whatever stands on a pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Board {
    White,
    Neutral,
    Black,
    Attack(Pin),
}

impl Board {
    pub const MAIN: [Self; 3] = [Self::White, Self::Neutral, Self::Black];

    /// The three main boards, then a board for each pin.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Self::MAIN.into_iter().chain(Pin::all().map(Self::Attack))
    }

    /// Squares on a side.
    #[must_use]
    pub const fn width(self) -> u8 {
        match self {
            Self::Attack(_) => 2,
            _ => 4,
        }
    }

    /// The leftmost file, numbered as a column's.
    #[must_use]
    pub const fn first_file(self) -> u8 {
        match self {
            Self::Attack(pin) => match pin.flank() {
                Flank::Queen => 0,
                Flank::King => 4,
            },
            _ => 1,
        }
    }

    #[must_use]
    pub const fn lowest_rank(self) -> u8 {
        match self {
            Self::White => 1,
            Self::Neutral => 3,
            Self::Black => 5,
            Self::Attack(pin) => pin.lowest_rank(),
        }
    }

    /// The board of a name such as `W` or `QL1`.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "W" => Some(Self::White),
            "N" => Some(Self::Neutral),
            "B" => Some(Self::Black),
            _ => name.parse().ok().map(Self::Attack),
        }
    }

    /// The number of this board's first square.
    const fn offset(self) -> u8 {
        match self {
            Self::White => 0,
            Self::Neutral => 16,
            Self::Black => 32,
            Self::Attack(pin) => 48 + pin.index() as u8 * 4,
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::White => f.write_str("W"),
            Self::Neutral => f.write_str("N"),
            Self::Black => f.write_str("B"),
            Self::Attack(pin) => fmt::Display::fmt(pin, f),
        }
    }
}

/// A square that can exist: 48 on the main boards, then four for each pin. Whether a board
/// stands on the pin is for the world to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// A text that is no square.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SquareError {
    #[error(
        "'{0}' is not a square: expected a file z, a-e, a rank 0-9 and a board W, N, B, QL1-QL6 \
         or KL1-KL6, such as b3W"
    )]
    NoSquare(String),
    #[error("'{text}' is not a square: board {board} has files {} and ranks {}", files(*board), ranks(*board))]
    OffBoard { text: String, board: Board },
}

fn files(board: Board) -> String {
    let last = board.first_file() + board.width() - 1;
    format!("{}-{}", file_letter(board.first_file()), file_letter(last))
}

fn ranks(board: Board) -> String {
    let lowest = board.lowest_rank();
    format!("{lowest}-{}", lowest + board.width() - 1)
}

pub(crate) const fn file_letter(file: u8) -> char {
    match file {
        0 => 'z',
        file => (b'a' + file - 1) as char,
    }
}

const fn file_number(letter: u8) -> Option<u8> {
    match letter {
        b'z' => Some(0),
        b'a'..=b'e' => Some(letter - b'a' + 1),
        _ => None,
    }
}

/// The column of every square.
const COLUMN_OF: [u8; Square::COUNT] = {
    let mut columns = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT as u8 {
        let square = Square(index);
        let board = square.board();
        let place = index - board.offset();
        let file = board.first_file() + place % board.width();
        let rank = board.lowest_rank() + place / board.width();
        columns[index as usize] = rank * crate::column::FILES + file;
        index += 1;
    }
    columns
};

impl Square {
    pub const COUNT: usize = 96;

    /// Every square that can exist, the main boards' first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The square of a board on this column, if the board reaches it.
    #[must_use]
    pub const fn on(board: Board, column: Column) -> Option<Self> {
        let file = column.file().wrapping_sub(board.first_file());
        let rank = column.rank().wrapping_sub(board.lowest_rank());
        if file < board.width() && rank < board.width() {
            Some(Self(board.offset() + rank * board.width() + file))
        } else {
            None
        }
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index % Self::COUNT as u8)
    }

    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    #[must_use]
    pub const fn board(self) -> Board {
        match self.0 {
            0..16 => Board::White,
            16..32 => Board::Neutral,
            32..48 => Board::Black,
            _ => Board::Attack(Pin::from_index((self.0 - 48) / 4)),
        }
    }

    /// The pin of the attack board it belongs to.
    #[must_use]
    pub const fn pin(self) -> Option<Pin> {
        match self.board() {
            Board::Attack(pin) => Some(pin),
            _ => None,
        }
    }

    #[must_use]
    pub const fn column(self) -> Column {
        Column::from_index(COLUMN_OF[self.index()])
    }

    /// 0 for the z-file … 5 for the e-file.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.column().file()
    }

    #[must_use]
    pub const fn rank(self) -> u8 {
        self.column().rank()
    }

    /// All squares of one column have one colour, as on any chessboard: a1 is dark.
    #[must_use]
    pub const fn is_dark(self) -> bool {
        (self.file() + self.rank()) & 1 == 0
    }

    /// The same place of an attack board when the board stands on another pin.
    #[must_use]
    pub(crate) const fn carried_to(self, pin: Pin) -> Self {
        Self(Board::Attack(pin).offset() + self.0 % 4)
    }

    /// Where a passenger comes to stand when its attack board is turned by half a circle.
    #[must_use]
    pub(crate) const fn turned(self) -> Self {
        Self(self.0 ^ 3)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = file_letter(self.file());
        write!(f, "{file}{}{}", self.rank(), self.board())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let wrong = || SquareError::NoSquare(text.to_owned());
        let &[file, rank @ b'0'..=b'9', ..] = text.as_bytes() else {
            return Err(wrong());
        };
        let file = file_number(file).ok_or_else(wrong)?;
        let board = text.get(2..).and_then(Board::from_name);
        let board = board.ok_or_else(wrong)?;
        Column::at(file, rank - b'0')
            .and_then(|column| Self::on(board, column))
            .ok_or_else(|| SquareError::OffBoard {
                text: text.to_owned(),
                board,
            })
    }
}
