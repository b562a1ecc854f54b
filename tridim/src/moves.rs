//! Moves, castling among them, as data.

use std::fmt;

use movegen::{Color, Role};

use crate::pin::{Flank, Pin};
use crate::square::Square;
use crate::square_set::SquareSet;

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
    pub const fn promotion(self) -> Option<Role> {
        match self {
            Self::Piece { promotion, .. } | Self::Board { promotion, .. } => promotion,
            Self::Promotion { role, .. } => Some(role),
            Self::Castle(_) => None,
        }
    }

    /// The move with another promotion.
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

/// A kind of castling, by the boards it takes place on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingKind {
    /// King and rook side by side on the king's-side attack board: `O-O`.
    KingsideKl,
    /// King and rook side by side on the queen's-side attack board of a set-up position: `O-O`.
    KingsideQl,
    /// King and rook on different attack boards: `O-O-O`.
    Queenside,
}

impl CastlingKind {
    pub const ALL: [Self; 3] = [Self::KingsideKl, Self::KingsideQl, Self::Queenside];

    /// The castling in move notation.
    pub const fn notation(self) -> &'static str {
        match self {
            Self::KingsideKl | Self::KingsideQl => "O-O",
            Self::Queenside => "O-O-O",
        }
    }

    /// The pins on which the boards must stand.
    pub fn pins(self, side: Color) -> impl Iterator<Item = Pin> {
        let flanks: &[Flank] = match self {
            Self::KingsideKl => &[Flank::King],
            Self::KingsideQl => &[Flank::Queen],
            Self::Queenside => &[Flank::King, Flank::Queen],
        };
        flanks.iter().map(move |&flank| Pin::home(flank, side))
    }
}

impl fmt::Display for CastlingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KingsideKl => "kingside on KL",
            Self::KingsideQl => "kingside on QL",
            Self::Queenside => "queenside",
        })
    }
}

/// A castling move: its kind, and the squares of both pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Castling {
    pub kind: CastlingKind,
    pub king_from: Square,
    pub king_to: Square,
    pub rook_from: Square,
    pub rook_to: Square,
}

impl Castling {
    /// The squares of the move, without repetition.
    pub fn squares(&self) -> SquareSet {
        [self.king_from, self.king_to, self.rook_from, self.rook_to]
            .into_iter()
            .collect()
    }
}

/// The kind and the squares: `kingside on KL: king d0KL1-e0KL1, rook e0KL1-d0KL1`.
impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: king {}-{}, rook {}-{}",
            self.kind, self.king_from, self.king_to, self.rook_from, self.rook_to
        )
    }
}
