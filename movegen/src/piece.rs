//! Colors, roles and pieces.

use crate::parse_error::ParseError;
use core::fmt::{self, Write as _};
use core::ops::Not;
use core::str::FromStr;

/// White or Black; `!color` is the opponent.
///
/// Displayed as `White`, parsed from the name or FEN's letter.
///
/// ```
/// use movegen::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::Black.to_string(), "Black");
/// assert_eq!("b".parse(), Ok(Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// White, Black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of FEN's side-to-move field: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// The letter in the case that FEN uses for this color: uppercase for White.
    pub(crate) const fn case(self, letter: char) -> char {
        match self {
            Self::White => letter.to_ascii_uppercase(),
            Self::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The color for which FEN uses the case of this letter.
    pub(crate) const fn of_case(letter: char) -> Self {
        if letter.is_ascii_uppercase() {
            Self::White
        } else {
            Self::Black
        }
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
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

impl FromStr for Color {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "w" | "white" | "White" => Ok(Self::White),
            "b" | "black" | "Black" => Ok(Self::Black),
            _ => Err(ParseError::new("color", text, "White or Black, or w or b")),
        }
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
///
/// Displayed as its name, parsed from the name or a letter in either case.
///
/// ```
/// use movegen::Role;
///
/// assert_eq!(Role::Knight.to_string(), "knight");
/// assert_eq!("N".parse(), Ok(Role::Knight));
/// assert_eq!("knight".parse(), Ok(Role::Knight));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// Every role, from pawn to king.
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

    /// 0 for pawns … 5 for kings.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lowercase letter of FEN and UCI.
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

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Role {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let by_letter = only_char(text).and_then(Self::from_letter);
        let by_name = || Self::ALL.into_iter().find(|role| role.name() == text);
        by_letter
            .or_else(by_name)
            .ok_or_else(|| ParseError::new("role", text, "a name such as knight, or one of PNBRQK"))
    }
}

/// The character of a text of one character.
fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// A role with a color. `Option<Piece>` is one byte too.
///
/// Displayed and parsed as FEN's letter.
///
/// ```
/// use movegen::{Color, Piece, Role};
///
/// let knight = Piece::new(Color::White, Role::Knight);
/// assert_eq!(knight, Piece::WhiteKnight);
/// assert_eq!((knight.color(), knight.role()), (Color::White, Role::Knight));
/// assert_eq!(knight.to_string(), "N");
/// assert_eq!("n".parse(), Ok(Piece::BlackKnight));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
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
    /// Every piece, by role and then color.
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

    /// The piece of a color and role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Self {
        match (color, role) {
            (Color::White, Role::Pawn) => Self::WhitePawn,
            (Color::White, Role::Knight) => Self::WhiteKnight,
            (Color::White, Role::Bishop) => Self::WhiteBishop,
            (Color::White, Role::Rook) => Self::WhiteRook,
            (Color::White, Role::Queen) => Self::WhiteQueen,
            (Color::White, Role::King) => Self::WhiteKing,
            (Color::Black, Role::Pawn) => Self::BlackPawn,
            (Color::Black, Role::Knight) => Self::BlackKnight,
            (Color::Black, Role::Bishop) => Self::BlackBishop,
            (Color::Black, Role::Rook) => Self::BlackRook,
            (Color::Black, Role::Queen) => Self::BlackQueen,
            (Color::Black, Role::King) => Self::BlackKing,
        }
    }

    /// The position in [`Piece::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The role.
    #[inline]
    pub const fn role(self) -> Role {
        // SAFETY: the twelve pieces are numbered by role, then color, so half of that number is a
        // role's. A table would cost the search a load for every piece.
        unsafe { core::mem::transmute::<u8, Role>(self as u8 / 2) }
    }

    /// The color.
    #[inline]
    pub const fn color(self) -> Color {
        match self as u8 % 2 {
            0 => Color::White,
            _ => Color::Black,
        }
    }

    /// The FEN letter: uppercase for White.
    pub const fn letter(self) -> char {
        self.color().case(self.role().letter())
    }

    /// Reads a FEN letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match Role::from_letter(letter) {
            Some(role) => Some(Self::new(Color::of_case(letter), role)),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

impl FromStr for Piece {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        only_char(text)
            .and_then(Self::from_letter)
            .ok_or_else(|| ParseError::new("piece", text, "one of PNBRQKpnbrqk"))
    }
}
