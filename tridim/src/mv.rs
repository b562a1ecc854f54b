//! A move: of a man, of an attack board, castling, or the choice for a pawn that waited.

use crate::castling::Castling;
use crate::pin::Pin;
use crate::square::Square;
use movegen::Role;

/// A move in a position; what else it means (a capture, a double step) the position knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A man goes from one square to another.
    Man {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    /// An attack board goes from one pin to another with its passenger, or, where both pins
    /// are the same, turns by half a circle. The promotion is that of a pawn of the mover,
    /// carried to its last rank or left uncovered on it.
    Board {
        from: Pin,
        to: Pin,
        promotion: Option<Role>,
    },
    /// King and rook at once.
    Castle(Castling),
    /// What a pawn becomes that the opponent's board has left uncovered on its last rank. It
    /// comes before the next move is begun, and the turn does not pass.
    Choice { pawn: Square, role: Role },
}

impl Move {
    /// What a pawn becomes by this move.
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self {
            Self::Man { promotion, .. } | Self::Board { promotion, .. } => promotion,
            Self::Choice { role, .. } => Some(role),
            Self::Castle(_) => None,
        }
    }

    /// The same move with another promotion; castling and choices stay as they are.
    #[must_use]
    pub(crate) const fn promoting(self, promotion: Option<Role>) -> Self {
        match self {
            Self::Man { from, to, .. } => Self::Man {
                from,
                to,
                promotion,
            },
            Self::Board { from, to, .. } => Self::Board {
                from,
                to,
                promotion,
            },
            other => other,
        }
    }
}
