//! The move type.

use movegen::Role;

use crate::castling::Castling;
use crate::pin::Pin;
use crate::square::Square;

/// A move. The position knows what else it means, for example a capture or a double step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A piece moves from one square to another.
    Piece {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    /// An attack board moves to another pin with its passenger, or rotates by 180 degrees when
    /// both pins are the same. The promotion is that of a pawn of the mover that the move brings
    /// to its last rank or uncovers there.
    Board {
        from: Pin,
        to: Pin,
        promotion: Option<Role>,
    },
    /// King and rook at once.
    Castle(Castling),
    /// The promotion of a pawn that the opponent's board move uncovered on its last rank. It
    /// comes before the player's move, and the turn does not pass.
    Promotion { pawn: Square, role: Role },
}

impl Move {
    /// The role a pawn promotes to.
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self {
            Self::Piece { promotion, .. } | Self::Board { promotion, .. } => promotion,
            Self::Promotion { role, .. } => Some(role),
            Self::Castle(_) => None,
        }
    }

    /// The same move with another promotion.
    #[must_use]
    pub(crate) const fn promoting(self, promotion: Option<Role>) -> Self {
        match self {
            Self::Piece { from, to, .. } => Self::Piece {
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
