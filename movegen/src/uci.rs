//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, `e1h1`.

use crate::castling::CastlingSide;
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::refusal::IllegalMove;
use crate::setup::Variant;
use crate::square::Square;
use std::fmt;
use thiserror::Error;

/// Why a text is no move to be played here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UciMoveError {
    #[error("'{0}' is no move: expected two squares and perhaps a promotion, as e2e4 or e7e8q")]
    Malformed(String),
    #[error("'{text}' is not legal: {reason}")]
    Refused { text: String, reason: IllegalMove },
}

/// A move on its way to a text; see `Move::uci`.
#[derive(Clone, Copy, Debug)]
pub struct UciMove {
    mv: Move,
    variant: Variant,
}

impl Move {
    /// The move as UCI writes it. In standard chess castling is the king's two steps, in
    /// Chess960 the king taking its rook.
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
                CastlingSide::King => Square::at(Square::G1.file(), from.rank()),
                CastlingSide::Queen => Square::at(Square::C1.file(), from.rank()),
            };
        }
        write!(f, "{from}{to}")?;
        match self.mv.promotion_role() {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

/// The longest text an error repeats whole.
const QUOTED: usize = 16;

impl Position {
    /// The legal move a UCI text means, castling written either way.
    pub fn move_from_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let quoted = || text.chars().take(QUOTED).collect::<String>();
        let (from, to, promotion) = split(text).ok_or_else(|| UciMoveError::Malformed(quoted()))?;
        self.find_move(from, to, promotion)
            .map_err(|reason| UciMoveError::Refused {
                text: quoted(),
                reason,
            })
    }
}

/// Squares and promotion of a text of that shape.
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
