//! Castling sides, paths and rights.
//!
//! A right is stored as the home square of its rook, so the rights are a set of squares. A move
//! from or to such a square revokes that right, in any order and any number of times; a king move
//! revokes both rights of its side. Nothing else removes a right, and nothing restores one.
//! Chess960 needs no more than this.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::parse_error::ParseError;
use crate::piece::Color;
use crate::square::{File, Rank, Square};
use core::fmt::{self, Write as _};
use core::str::FromStr;

/// The home squares that castling rights may refer to.
///
/// ```
/// use movegen::{Position, Variant};
///
/// let fen = "4k3/8/8/8/8/8/8/1K5R w K - 0 1";
/// let standard = Position::from_fen(fen, Variant::Standard)?;
/// assert!(standard.castling_rights().is_empty());
/// let chess960 = Position::from_fen(fen, Variant::Chess960)?;
/// assert!(chess960.move_from_san("O-O").is_ok());
/// # Ok::<(), movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Kings castle from e1 and e8, with rooks on corner squares.
    #[default]
    Standard,
    /// Kings castle from any square of their first rank, with any rook on it. Includes DFRC.
    Chess960,
}

impl Variant {
    /// Chess960 where a flag or option says so.
    pub const fn from_chess960(chess960: bool) -> Self {
        if chess960 {
            Self::Chess960
        } else {
            Self::Standard
        }
    }
}

/// The side of the board the king castles to.
///
/// ```
/// use movegen::{CastlingSide, Color, Square};
///
/// let side = CastlingSide::of(Square::E1, Square::A1);
/// assert_eq!(side, CastlingSide::Queen);
/// assert_eq!(side.king_target(Color::White), Square::C1);
/// assert_eq!(format!("{side}: {}", side.san()), "queenside: O-O-O");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingSide {
    /// Kingside, `O-O`.
    King,
    /// Queenside, `O-O-O`.
    Queen,
}

impl CastlingSide {
    /// Kingside, queenside.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side that `rook` is on, seen from its king.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// `O-O` or `O-O-O`.
    pub const fn san(self) -> &'static str {
        match self {
            Self::King => "O-O",
            Self::Queen => "O-O-O",
        }
    }

    /// The king's destination: the g-file or c-file.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::G1.relative(color),
            Self::Queen => Square::C1.relative(color),
        }
    }

    /// The rook's destination: the f-file or d-file.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::F1.relative(color),
            Self::Queen => Square::D1.relative(color),
        }
    }

    /// The rook's home square in standard chess.
    pub(crate) const fn standard_rook_home(self, color: Color) -> Square {
        match self {
            Self::King => Square::H1.relative(color),
            Self::Queen => Square::A1.relative(color),
        }
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::King => "kingside",
            Self::Queen => "queenside",
        })
    }
}

/// The squares involved in castling; see
/// [`Position::castling_path`](crate::Position::castling_path).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingPath {
    /// The king's square before castling.
    pub king_home: Square,
    /// The rook's square before castling.
    pub rook_home: Square,
    /// The squares the king crosses and lands on; none may be occupied by another piece or
    /// attacked.
    pub king: Bitboard,
    /// The squares the rook crosses and lands on; none may be occupied by another piece.
    pub rook: Bitboard,
    /// The square the king lands on.
    pub king_target: Square,
    /// The square the rook lands on.
    pub rook_target: Square,
}

impl CastlingPath {
    #[inline(always)]
    pub(crate) fn new(color: Color, side: CastlingSide, king: Square, rook: Square) -> Self {
        let (king_target, rook_target) = (side.king_target(color), side.rook_target(color));
        Self {
            king_home: king,
            rook_home: rook,
            king: attacks::between(king, king_target) | Bitboard::of(king_target),
            rook: attacks::between(rook, rook_target) | Bitboard::of(rook_target),
            king_target,
            rook_target,
        }
    }

    /// Every square that either piece crosses or lands on.
    #[inline(always)]
    pub fn all(&self) -> Bitboard {
        self.king | self.rook
    }

    /// The squares that block attacks on a square that the king crosses or lands on: it blocks none
    /// along its own path, and where it lands the rook no longer shields it from its home square.
    #[inline(always)]
    pub(crate) fn occupied_with_king_on(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let without_king = occupied & !Bitboard::of(self.king_home);
        if square == self.king_target {
            (without_king & !Bitboard::of(self.rook_home)) | Bitboard::of(self.rook_target)
        } else {
            without_king
        }
    }
}

/// A castling right as a FEN names it, displayed as its letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingRight {
    /// `K`, `Q`: the outermost rook on that side.
    Outermost(Color, CastlingSide),
    /// `A` to `H`: the rook on that file.
    File(Color, File),
}

impl CastlingRight {
    /// The side that has the right.
    pub const fn color(self) -> Color {
        match self {
            Self::Outermost(color, _) | Self::File(color, _) => color,
        }
    }

    /// The right with a letter of FEN.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        let color = Color::of_case(letter);
        Some(match letter.to_ascii_lowercase() {
            'k' => Self::Outermost(color, CastlingSide::King),
            'q' => Self::Outermost(color, CastlingSide::Queen),
            file => Self::File(color, File::from_byte(u8::try_from(file).ok()?)?),
        })
    }

    /// The letter of FEN: uppercase for White.
    pub const fn letter(self) -> char {
        match self {
            Self::Outermost(color, CastlingSide::King) => color.case('k'),
            Self::Outermost(color, CastlingSide::Queen) => color.case('q'),
            Self::File(color, file) => color.case(file.letter()),
        }
    }
}

impl fmt::Display for CastlingRight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

/// The castling rights of both sides, as the home squares of their rooks.
///
/// Displayed and parsed as in a FEN, with `KQkq` for rooks on corner squares and file letters for
/// others.
///
/// ```
/// use movegen::{CastlingRights, Color, Position, Square};
///
/// let rights = Position::default().castling_rights();
/// assert_eq!(rights.to_string(), "KQkq");
/// assert!(rights.of(Color::White).has(Square::H1));
/// assert_eq!("KQkq".parse(), Ok(rights));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(pub(crate) Bitboard);

impl CastlingRights {
    /// The home squares of all rooks with a right.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// True if neither side has a castling right.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The home squares of the rooks of `color` with a right.
    #[inline]
    pub fn of(self, color: Color) -> Bitboard {
        self.0 & Bitboard::rank(Rank::First.relative(color))
    }

    /// The home square of the rook with which the king on `king` may castle to `side`, if that
    /// right exists.
    #[inline]
    pub fn rook(self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        match side {
            CastlingSide::King => self.of(color).last().filter(|&rook| rook > king),
            CastlingSide::Queen => self.of(color).first().filter(|&rook| rook < king),
        }
    }

    pub(crate) fn grant(&mut self, rook: Square) {
        self.0 |= Bitboard::of(rook);
    }

    /// Revokes the rights of rooks whose home square a move leaves or reaches.
    #[inline(always)]
    pub(crate) fn revoke(&mut self, squares: Bitboard) {
        self.0 &= !squares;
    }

    /// Revokes both rights of a side after a king move.
    #[inline(always)]
    pub(crate) fn revoke_all(&mut self, color: Color) {
        self.0 &= !Bitboard::rank(Rank::First.relative(color));
    }
}

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_char('-');
        }
        for color in Color::ALL {
            // The h-file first, as in KQ.
            for file in File::ALL.into_iter().rev() {
                if !self
                    .of(color)
                    .has(Square::new(file, Rank::First.relative(color)))
                {
                    continue;
                }
                let right = match file {
                    File::H => CastlingRight::Outermost(color, CastlingSide::King),
                    File::A => CastlingRight::Outermost(color, CastlingSide::Queen),
                    _ => CastlingRight::File(color, file),
                };
                f.write_char(right.letter())?;
            }
        }
        Ok(())
    }
}

impl FromStr for CastlingRights {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || {
            let expected = "'-', letters of KQkq or rook files A-H, a-h";
            ParseError::new("castling rights", text, expected)
        };
        let mut rights = Self::default();
        for letter in text.chars().filter(|_| text != "-") {
            let (color, file) = match CastlingRight::from_letter(letter).ok_or_else(error)? {
                CastlingRight::Outermost(color, CastlingSide::King) => (color, File::H),
                CastlingRight::Outermost(color, CastlingSide::Queen) => (color, File::A),
                CastlingRight::File(color, file) => (color, file),
            };
            rights.grant(Square::new(file, Rank::First.relative(color)));
        }
        if text.is_empty() {
            Err(error())
        } else {
            Ok(rights)
        }
    }
}
