//! Moves in UCI notation: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, `e1h1`.

use crate::castling::{CastlingSide, Variant};
use crate::illegal_move::{IllegalMove, quote};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;
use std::fmt;
use thiserror::Error;

/// Why a text is not a legal move in UCI notation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UciMoveError {
    #[error(
        "invalid move '{0}': expected two squares and an optional promotion, such as e2e4 or e7e8q"
    )]
    Malformed(String),
    #[error("illegal move '{text}': {reason}")]
    Illegal { text: String, reason: IllegalMove },
}

/// Displays a move in UCI notation; see `Move::uci`.
#[derive(Clone, Copy, Debug)]
pub struct UciMove {
    mv: Move,
    variant: Variant,
}

impl Move {
    /// The move in UCI notation. Castling is the king's two steps in standard chess, the king moving
    /// to its rook in Chess960.
    #[must_use]
    pub fn uci(self, variant: Variant) -> UciMove {
        UciMove { mv: self, variant }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, mut to) = (self.mv.from(), self.mv.to());
        if self.mv.is_castling() && self.variant == Variant::Standard {
            to = match CastlingSide::of(from, to) {
                CastlingSide::King => Square::new(Square::G1.file(), from.rank()),
                CastlingSide::Queen => Square::new(Square::C1.file(), from.rank()),
            };
        }
        write!(f, "{from}{to}")?;
        match self.mv.promotion_role() {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

impl Position {
    /// Parses a legal move in UCI notation; castling is accepted both ways.
    pub fn move_from_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let (from, to, promotion) =
            split(text).ok_or_else(|| UciMoveError::Malformed(quote(text)))?;
        self.find_move(from, to, promotion)
            .map_err(|reason| UciMoveError::Illegal {
                text: quote(text),
                reason,
            })
    }
}

/// The squares and the promotion of a well-formed text.
fn split(text: &str) -> Option<(Square, Square, Option<Role>)> {
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
    Some((from, to, promotion))
}
