//! Boards, squares and columns.

use std::fmt;
use std::str::FromStr;

use common::excerpt;
use movegen::Color;
use thiserror::Error;

use crate::pin::{Flank, Pin};

/// A board: one of the three main boards, or the attack board on a pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Board {
    White,
    Neutral,
    Black,
    Attack(Pin),
}

impl Board {
    pub const MAIN: [Self; 3] = [Self::White, Self::Neutral, Self::Black];

    /// The length of a side in squares.
    pub const fn width(self) -> u8 {
        match self {
            Self::Attack(_) => 2,
            _ => 4,
        }
    }

    /// The leftmost file, as a number.
    pub const fn first_file(self) -> u8 {
        match self {
            Self::Attack(pin) => match pin.flank() {
                Flank::Queen => 0,
                Flank::King => 4,
            },
            _ => 1,
        }
    }

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

    /// The index of the first square.
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

/// A possible square: 48 on the main boards, then four per pin. The placement knows whether a
/// board stands on the pin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// The reason a text is not a square.
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

/// The letter of a file, counted from the leftmost.
pub const fn file_letter(file: u8) -> char {
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
        columns[index as usize] = rank * FILES + file;
        index += 1;
    }
    columns
};

impl Square {
    pub const COUNT: usize = 96;

    /// Every possible square, those of the main boards first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The square of a board on a column, if the board covers it.
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

    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    pub const fn board(self) -> Board {
        match self.0 {
            0..16 => Board::White,
            16..32 => Board::Neutral,
            32..48 => Board::Black,
            _ => Board::Attack(Pin::from_index((self.0 - 48) / 4)),
        }
    }

    /// The pin of the square's attack board.
    pub const fn pin(self) -> Option<Pin> {
        match self.board() {
            Board::Attack(pin) => Some(pin),
            _ => None,
        }
    }

    pub const fn column(self) -> Column {
        Column::from_index(COLUMN_OF[self.index()])
    }

    /// From 0 for the z-file to 5 for the e-file.
    pub const fn file(self) -> u8 {
        self.column().file()
    }

    pub const fn rank(self) -> u8 {
        self.column().rank()
    }

    /// All squares of a column have the same color; a1 is dark.
    #[must_use]
    pub const fn is_dark(self) -> bool {
        (self.file() + self.rank()) & 1 == 0
    }

    /// The corresponding square when the attack board moves to another pin.
    #[must_use]
    pub(crate) const fn moved_to(self, pin: Pin) -> Self {
        Self(Board::Attack(pin).offset() + self.0 % 4)
    }

    /// The square of a passenger after its attack board rotates by 180 degrees.
    #[must_use]
    pub(crate) const fn rotated(self) -> Self {
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
        let wrong = || SquareError::NoSquare(excerpt(text));
        let &[file, rank @ b'0'..=b'9', ..] = text.as_bytes() else {
            return Err(wrong());
        };
        let file = file_number(file).ok_or_else(wrong)?;
        let board = text.get(2..).and_then(Board::from_name).ok_or_else(wrong)?;
        Column::at(file, rank - b'0')
            .and_then(|column| Self::on(board, column))
            .ok_or_else(|| SquareError::OffBoard {
                text: excerpt(text),
                board,
            })
    }
}

/// Files z, a, b, c, d, e are numbered 0 to 5.
pub(crate) const FILES: u8 = 6;
/// Ranks 0 to 9.
pub(crate) const RANKS: u8 = 10;

/// A file and a rank, regardless of level; z0 = 0, a0 = 1 … e9 = 59.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Column(u8);

/// Bishop directions as steps of file and rank.
pub(crate) const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
/// Rook directions.
pub(crate) const STRAIGHTS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(crate) const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

impl Column {
    pub const COUNT: usize = (FILES * RANKS) as usize;

    pub(crate) const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < FILES && rank < RANKS {
            Some(Self(rank * FILES + file))
        } else {
            None
        }
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index % Self::COUNT as u8)
    }

    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    /// From 0 for the z-file to 5 for the e-file.
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// From 0 to 9.
    pub const fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The column a number of files and ranks away, if it is on the board.
    pub const fn step(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file().wrapping_add_signed(files);
        let rank = self.rank().wrapping_add_signed(ranks);
        Self::at(file, rank)
    }

    /// The columns strictly between two on one line; none if they are not on one line.
    pub(crate) fn between(self, other: Self) -> impl Iterator<Item = Self> {
        let files = other.file() as i8 - self.file() as i8;
        let ranks = other.rank() as i8 - self.rank() as i8;
        let joined = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let step = move |column: &Self| column.step(files.signum(), ranks.signum());
        std::iter::successors(step(&self), step)
            .take_while(move |&column| joined && self != other && column != other)
    }
}

/// The forward step of a side, in ranks.
pub(crate) const fn forward(side: Color) -> i8 {
    match side {
        Color::White => 1,
        Color::Black => -1,
    }
}
