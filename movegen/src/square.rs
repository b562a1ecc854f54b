//! Squares.

use crate::piece::Color;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A square, a1 = 0, b1 = 1 … h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// Why a text is not a square.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("invalid square '{0}': expected a file a-h and a rank 1-8, such as e4")]
pub struct SquareError(pub String);

impl Square {
    pub const A1: Self = Self(0);
    pub(crate) const C1: Self = Self(2);
    pub const D1: Self = Self(3);
    pub const E1: Self = Self(4);
    pub(crate) const F1: Self = Self(5);
    pub(crate) const G1: Self = Self(6);
    pub const H1: Self = Self(7);
    pub const A8: Self = Self(56);
    pub const C8: Self = Self(58);
    pub const D8: Self = Self(59);
    pub const E8: Self = Self(60);
    pub const H8: Self = Self(63);

    /// The square with this index; larger indices wrap around.
    #[must_use]
    #[inline]
    pub const fn wrapping(index: u8) -> Self {
        Self(index & 63)
    }

    /// The square with this index, if it is below 64.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The square on this file and rank, both 0-7 (larger values wrap around).
    #[must_use]
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Self {
        Self((rank & 7) << 3 | (file & 7))
    }

    /// The index, 0-63. The mask lets the compiler drop bounds checks on tables of 64.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 for the a-file … 7 for the h-file.
    #[must_use]
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank … 7 for the eighth.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        (self.0 & 63) >> 3
    }

    #[must_use]
    pub const fn file_letter(self) -> char {
        (b'a' + self.file()) as char
    }

    #[must_use]
    pub(crate) const fn rank_digit(self) -> char {
        (b'1' + self.rank()) as char
    }

    /// The square mirrored vertically (a1 becomes a8).
    #[must_use]
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// The square mirrored horizontally (a1 becomes h1).
    #[must_use]
    #[inline]
    pub const fn flip_file(self) -> Self {
        Self(self.0 ^ 7)
    }

    /// The square from the point of view of `color`: unchanged for White, mirrored for Black.
    #[must_use]
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip_rank(),
        }
    }

    /// The square `steps` further in index order, wrapping around.
    #[must_use]
    #[inline]
    pub(crate) const fn offset(self, steps: i8) -> Self {
        Self(self.0.wrapping_add_signed(steps) & 63)
    }

    /// Every square, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..64).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank_digit())
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
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::at(file - b'a', rank - b'1')),
            _ => Err(SquareError(text.to_owned())),
        }
    }
}
