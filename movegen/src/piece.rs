//! Colors, roles and pieces.

use std::fmt;
use std::ops::Not;

/// White or Black.
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

    /// The letter of FEN's side-to-move field: `w` or `b`.
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

/// A color known at compile time, so that move generation is specialized for it.
pub(crate) trait StaticColor: Copy + 'static {
    type Them: StaticColor<Them = Self>;
    const COLOR: Color;
}

/// White as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct White;

/// Black as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Black;

impl StaticColor for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl StaticColor for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}

/// The type of a piece, without its color.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The roles a pawn promotes to, the strongest first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lowercase letter of FEN and UCI.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// Reads a letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Self::Pawn,
            'n' => Self::Knight,
            'b' => Self::Bishop,
            'r' => Self::Rook,
            'q' => Self::Queen,
            'k' => Self::King,
            _ => return None,
        })
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

/// A role with a color. `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

impl Piece {
    pub const ALL: [Self; 12] = [
        Self::WhitePawn,
        Self::BlackPawn,
        Self::WhiteKnight,
        Self::BlackKnight,
        Self::WhiteBishop,
        Self::BlackBishop,
        Self::WhiteRook,
        Self::BlackRook,
        Self::WhiteQueen,
        Self::BlackQueen,
        Self::WhiteKing,
        Self::BlackKing,
    ];

    #[must_use]
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        Self::ALL[role as usize * 2 + color as usize]
    }

    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[must_use]
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[self as usize / 2]
    }

    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        Color::ALL[self as usize % 2]
    }

    /// The FEN letter: uppercase for White.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.role().letter().to_ascii_uppercase(),
            Color::Black => self.role().letter(),
        }
    }

    /// Reads a FEN letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match Role::from_letter(letter) {
            Some(role) if letter.is_ascii_uppercase() => Some(Self::new(Color::White, role)),
            Some(role) => Some(Self::new(Color::Black, role)),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
