//! Moves in UCI notation: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, `e1h1`.

use crate::castling::{CastlingSide, Variant};
use crate::illegal_move::{Reasons, quote, write_illegal};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::{File, Square};
use alloc::string::String;
use core::fmt::{self, Write as _};
use core::str::FromStr;
use thiserror::Error;

/// The reason a text is not a legal move in UCI notation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum UciMoveError {
    /// The text is not a move in UCI notation.
    #[error(
        "invalid move '{0}': expected two squares and an optional promotion, such as e2e4 or e7e8q"
    )]
    Malformed(String),
    /// The move is illegal. `{:#}` displays every reason, `{}` the first.
    #[error(fmt = write_illegal)]
    Illegal { text: String, reasons: Reasons },
}

/// A move as UCI writes it, which is a legal move only in some positions; see [`Move::uci`] and
/// [`Position::move_from_uci`].
///
/// ```
/// use movegen::{Square, UciMove};
///
/// let uci: UciMove = "e7e8q".parse()?;
/// assert_eq!((uci.from, uci.to), (Square::E7, Square::E8));
/// assert_eq!(uci.to_string(), "e7e8q");
/// # Ok::<(), movegen::UciMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UciMove {
    /// The origin.
    pub from: Square,
    /// The destination, or the rook's square for castling in Chess960.
    pub to: Square,
    /// The role a pawn promotes to.
    pub promotion: Option<Role>,
}

impl Move {
    /// The move in UCI notation. Castling is the king's two steps in standard chess, the king
    /// moving to its rook in Chess960.
    pub fn uci(self, variant: Variant) -> UciMove {
        let (from, to) = (self.from(), self.to());
        let to = match self
            .castling_side()
            .filter(|_| variant == Variant::Standard)
        {
            Some(CastlingSide::King) => Square::new(File::G, from.rank()),
            Some(CastlingSide::Queen) => Square::new(File::C, from.rank()),
            None => to,
        };
        let promotion = self.promotion_role();
        UciMove {
            from,
            to,
            promotion,
        }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => f.write_char(role.letter()),
            None => Ok(()),
        }
    }
}

impl FromStr for UciMove {
    type Err = UciMoveError;

    fn from_str(text: &str) -> Result<Self, UciMoveError> {
        split(text).ok_or_else(|| UciMoveError::Malformed(quote(text)))
    }
}

impl Position {
    /// Parses a legal move in UCI notation; castling is accepted both ways.
    ///
    /// ```
    /// use movegen::{Move, Position, Square};
    ///
    /// let start = Position::default();
    /// assert_eq!(start.move_from_uci("g1f3"), Ok(Move::normal(Square::G1, Square::F3)));
    /// assert_eq!(
    ///     start.move_from_uci("a1a3").unwrap_err().to_string(),
    ///     "illegal move 'a1a3': the rook on a1 cannot move to a3: a2 is occupied",
    /// );
    /// ```
    pub fn move_from_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let UciMove {
            from,
            to,
            promotion,
        } = text.parse()?;
        self.find_move(from, to, promotion)
            .map_err(|reason| UciMoveError::Illegal {
                text: quote(text),
                reasons: self
                    .why_illegal(from, to, promotion)
                    .unwrap_or_else(|| reason.into()),
            })
    }
}

fn split(text: &str) -> Option<UciMove> {
    let from = text.get(0..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        "q" | "Q" => Some(Role::Queen),
        "r" | "R" => Some(Role::Rook),
        "b" | "B" => Some(Role::Bishop),
        "n" | "N" => Some(Role::Knight),
        _ => return None,
    };
    Some(UciMove {
        from,
        to,
        promotion,
    })
}
