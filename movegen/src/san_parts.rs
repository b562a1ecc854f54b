//! The parts of a move in SAN, which need no position.

use crate::castling::CastlingSide;
use crate::piece::Role;
use crate::square::{File, Rank, Square};
use core::fmt;

/// The parts of a move in SAN; see [`Position::find_san`](crate::Position::find_san). Displayed
/// without what is redundant but `x` and `=`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum San {
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// Any other move.
    Move(SanMove),
}

/// The parts of a SAN other than castling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SanMove {
    /// Without a letter (none, or that of a pawn) a pawn, or any piece on a complete square of
    /// origin.
    pub role: Option<Role>,
    /// The file of the origin, if it is named.
    pub file: Option<File>,
    /// The rank of the origin, if it is named.
    pub rank: Option<Rank>,
    /// `x` is written; it is not checked.
    pub captures: bool,
    /// The destination.
    pub to: Square,
    /// The role a pawn is promoted to.
    pub promotion: Option<Role>,
}

impl San {
    /// The parts of a text, which is not checked against a position; `None` if it is not SAN.
    ///
    /// ```
    /// use movegen::{Position, San, Square};
    ///
    /// let san = San::from_ascii(b"Ng1-f3+").expect("a knight move");
    /// assert_eq!(san.to_string(), "Ng1f3");
    /// let mv = Position::default().find_san(san)?;
    /// assert_eq!((mv.from(), mv.to()), (Square::G1, Square::F3));
    /// assert_eq!(San::from_ascii(b"Ng9"), None);
    /// # Ok::<(), movegen::SanError>(())
    /// ```
    pub fn from_ascii(text: &[u8]) -> Option<Self> {
        let mut bare = text;
        while let [start @ .., b'+' | b'#' | b'!' | b'?'] = bare {
            bare = start;
        }
        bare = bare.strip_suffix(b"e.p.").unwrap_or(bare);
        match bare {
            b"O-O" | b"0-0" | b"o-o" => Some(Self::Castling(CastlingSide::King)),
            b"O-O-O" | b"0-0-0" | b"o-o-o" => Some(Self::Castling(CastlingSide::Queen)),
            _ => SanMove::parse(bare).map(Self::Move),
        }
    }

    /// Writes it into a string without the cost of formatting.
    pub(crate) fn write(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let mv = match self {
            Self::Castling(side) => return out.write_str(side.san()),
            Self::Move(mv) => mv,
        };
        if let Some(role) = mv.role.filter(|&role| role != Role::Pawn) {
            out.write_char(role.letter().to_ascii_uppercase())?;
        }
        if let Some(file) = mv.file {
            out.write_char(file.letter())?;
        }
        if let Some(rank) = mv.rank {
            out.write_char(rank.letter())?;
        }
        if mv.captures {
            out.write_char('x')?;
        }
        out.write_char(mv.to.file().letter())?;
        out.write_char(mv.to.rank().letter())?;
        if let Some(role) = mv.promotion {
            out.write_char('=')?;
            out.write_char(role.letter().to_ascii_uppercase())?;
        }
        Ok(())
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl SanMove {
    /// Parses a SAN without check marks and annotations, from its end.
    fn parse(bare: &[u8]) -> Option<Self> {
        let mut rest = bare;
        let role = match rest {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), tail @ ..] => {
                rest = tail;
                Role::from_letter(char::from(*letter))
            }
            _ => None,
        };
        let mut promotion = None;
        if let [start @ .., letter] = rest
            && letter.is_ascii_alphabetic()
        {
            promotion = Role::from_letter(char::from(*letter))
                .filter(|promotion| role.is_none() && Role::PROMOTIONS.contains(promotion));
            promotion?;
            rest = start.strip_suffix(b"=").unwrap_or(start);
        }
        let &[ref origin @ .., file, rank] = rest else {
            return None;
        };
        let to = Square::new(File::from_byte(file)?, Rank::from_byte(rank)?);
        let (origin, captures) = match origin {
            [start @ .., b'x' | b':'] => (start, true),
            [start @ .., b'-'] => (start, false),
            _ => (origin, false),
        };
        let (file, rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (File::from_byte(file), None),
            [rank] => (None, Some(Rank::from_byte(rank)?)),
            [file, rank] => (Some(File::from_byte(file)?), Some(Rank::from_byte(rank)?)),
            _ => return None,
        };
        Some(Self {
            role,
            file,
            rank,
            captures,
            to,
            promotion,
        })
    }
}
