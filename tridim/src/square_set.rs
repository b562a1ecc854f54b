//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::pin::Pin;
use crate::square::{Board, Column, Square};

/// A set of squares, one bit per possible square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(u128);

/// The possible squares of each column.
const OF_COLUMN: [SquareSet; Column::COUNT] = {
    let mut sets = [SquareSet::EMPTY; Column::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let column = Square::from_index(index as u8).column().index();
        sets[column] = SquareSet(sets[column].0 | 1 << index);
        index += 1;
    }
    sets
};

impl SquareSet {
    pub const EMPTY: Self = Self(0);
    /// The squares of the three main boards.
    pub(crate) const MAIN: Self = Self((1 << 48) - 1);

    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Every possible square of a column.
    pub const fn of_column(column: Column) -> Self {
        static SETS: [SquareSet; Column::COUNT] = OF_COLUMN;
        SETS[column.index()]
    }

    /// The union, in constant evaluation.
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The four squares of an attack board.
    pub const fn of_pin(pin: Pin) -> Self {
        Self(0b1111 << (48 + pin.index() * 4))
    }

    /// The squares of a board.
    pub const fn of_board(board: Board) -> Self {
        match board {
            Board::White => Self(0xffff),
            Board::Neutral => Self(0xffff << 16),
            Board::Black => Self(0xffff << 32),
            Board::Attack(pin) => Self::of_pin(pin),
        }
    }

    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn any(self) -> bool {
        self.0 != 0
    }

    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub fn first(self) -> Option<Square> {
        self.any()
            .then(|| Square::from_index(self.0.trailing_zeros() as u8))
    }

    /// The bits, for hashing.
    pub(crate) const fn bits(self) -> u128 {
        self.0
    }
}

impl BitOr for SquareSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for SquareSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Not for SquareSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

/// Iterates over a set, the main boards first.
#[derive(Clone, Debug)]
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
