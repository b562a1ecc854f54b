//! The two sides, as a value and as types.

use std::fmt;
use std::ops::Not;

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Color {
    White,
    Black,
}

impl Color {
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter FEN uses for the side to move.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A side known when compiling, so that generators are specialised for it.
pub(crate) trait Side: Copy + 'static {
    type Them: Side<Them = Self>;
    const COLOR: Color;
}

/// White, as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct White;

/// Black, as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Black;

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}
