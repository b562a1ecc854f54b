//! Squares, files and ranks.

use crate::parse_error::ParseError;
use crate::piece::Color;
use core::fmt::{self, Write as _};
use core::str::FromStr;

/// Defines a file or rank type: eight values, in order.
macro_rules! lines {
    (
        $(#[$attribute:meta])* $name:ident: $what:literal, $letters:literal,
        $($line:ident = $index:literal),*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name {
            $($line = $index),*
        }

        impl $name {
            #[doc = concat!("Every ", $what, ", in order.")]
            pub const ALL: [Self; 8] = [$(Self::$line),*];

            #[doc = concat!("The ", $what, " with this index, if it is below 8.")]
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                match index {
                    $($index => Some(Self::$line),)*
                    _ => None,
                }
            }

            #[doc = concat!("The ", $what, " with this index; larger indices wrap around.")]
            #[inline]
            pub(crate) const fn wrapping(index: u8) -> Self {
                // Compiles to a mask.
                match Self::from_index((index & 7) as usize) {
                    Some(line) => line,
                    None => Self::ALL[0],
                }
            }

            /// The index, 0-7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The line of a letter of `letter`.
            #[inline]
            pub(crate) const fn from_byte(letter: u8) -> Option<Self> {
                Self::from_index(letter.wrapping_sub($letters.as_bytes()[0]) as usize)
            }

            #[doc = concat!("One of `", $letters, "`.")]
            #[inline]
            pub const fn letter(self) -> char {
                ($letters.as_bytes()[0] + self as u8) as char
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.letter(), f)
            }
        }

        impl FromStr for $name {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                match *text.as_bytes() {
                    [letter] => Self::from_byte(letter),
                    _ => None,
                }
                .ok_or_else(|| ParseError::new($what, text, concat!("one of ", $letters)))
            }
        }
    };
}

lines! {
    /// A file (column) of the board, with `FromStr` and `Display` as a letter.
    ///
    /// ```
    /// use movegen::{File, Square};
    ///
    /// assert_eq!("c".parse(), Ok(File::C));
    /// assert_eq!(Square::C8.file(), File::C);
    /// assert!(File::A < File::H);
    /// ```
    File: "file", "abcdefgh",
    A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7
}

lines! {
    /// A rank (row) of the board, with `FromStr` and `Display` as a digit.
    ///
    /// ```
    /// use movegen::{Color, Rank};
    ///
    /// assert_eq!(Rank::Seventh.to_string(), "7");
    /// assert_eq!(Rank::Seventh.relative(Color::Black), Rank::Second);
    /// ```
    Rank: "rank", "12345678",
    First = 0, Second = 1, Third = 2, Fourth = 3, Fifth = 4, Sixth = 5, Seventh = 6, Eighth = 7
}

impl Rank {
    /// The rank from the point of view of `color`: unchanged for White, mirrored for Black.
    #[must_use]
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::wrapping(7 - self as u8),
        }
    }
}

/// A square, a1 = 0, b1 = 1 … h8 = 63.
///
/// ```
/// use movegen::{Color, File, Rank, Square};
///
/// let square: Square = "e4".parse()?;
/// assert_eq!(square, Square::new(File::E, Rank::Fourth));
/// assert_eq!(square.to_string(), "e4");
/// assert_eq!(square.relative(Color::Black), Square::E5);
/// assert_eq!(square.try_offset(1, 2), Some(Square::F6));
/// assert_eq!(
///     "e9".parse::<Square>().unwrap_err().to_string(),
///     "invalid square 'e9': expected a file a-h and a rank 1-8, such as e4",
/// );
/// # Ok::<(), movegen::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index; larger indices wrap around.
    #[inline]
    pub const fn wrapping(index: u8) -> Self {
        Self(index & 63)
    }

    /// The square with this index, if it is below 64.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < 64 {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self((rank as u8) << 3 | file as u8)
    }

    /// The index, 0-63. The mask lets the compiler drop bounds checks on tables of 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file.
    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self.0)
    }

    /// The rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self.0 >> 3)
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

    /// The square some files to the right and some ranks up (left and down if negative), if it is
    /// on the board.
    pub const fn try_offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self.file() as i8).wrapping_add(files);
        let rank = (self.rank() as i8).wrapping_add(ranks);
        match (
            File::from_index(file as usize),
            Rank::from_index(rank as usize),
        ) {
            (Some(file), Some(rank)) => Some(Self::new(file, rank)),
            _ => None,
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

/// Defines a constant for each square, in order of their indices.
macro_rules! square_constants {
    ($($square:ident)*) => {
        #[allow(missing_docs)]
        impl Square {
            $(pub const $square: Self = Self(Index::$square as u8);)*
        }

        enum Index { $($square),* }
    };
}

square_constants! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.file().letter())?;
        f.write_char(self.rank().letter())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match *text.as_bytes() {
            [file, rank] => File::from_byte(file)
                .zip(Rank::from_byte(rank))
                .map(|(file, rank)| Self::new(file, rank)),
            _ => None,
        }
        .ok_or_else(|| ParseError::new("square", text, "a file a-h and a rank 1-8, such as e4"))
    }
}
