//! The reasons a castling move is illegal.

use crate::attackers::Attackers;
use crate::castling::CastlingSide;
use crate::piece::{Color, Piece};
use crate::played_move::PlayedMove;
use crate::square::Square;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use thiserror::Error;

/// The reason one of the six castling conditions fails; see
/// [`CastlingReport`](crate::CastlingReport).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        tag = "code",
        content = "detail",
        rename_all = "snake_case",
        rename_all_fields = "camelCase"
    )
)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum CastlingError {
    /// The right is gone, and the position does not tell how; a [`Game`](crate::Game) does.
    #[error(
        "{color} may no longer castle {side}: \
         the king or the rook has moved, or the right is not in the FEN"
    )]
    NoRight { color: Color, side: CastlingSide },
    /// The right was lost when the king moved, by a move of the game.
    #[error("{color} may no longer castle {side}: the king has moved from {home} ({by})")]
    KingMoved {
        color: Color,
        side: CastlingSide,
        home: Square,
        by: PlayedMove,
    },
    /// The right was lost when the rook moved.
    #[error("{color} may no longer castle {side}: the rook has moved from {home} ({by})")]
    RookMoved {
        color: Color,
        side: CastlingSide,
        home: Square,
        by: PlayedMove,
    },
    /// The right was lost when the rook was captured.
    #[error("{color} may no longer castle {side}: the rook was captured on {home} ({by})")]
    RookCaptured {
        color: Color,
        side: CastlingSide,
        home: Square,
        by: PlayedMove,
    },
    /// The start position of the game does not have the right.
    #[error("{color} may not castle {side}: the right is not in the FEN")]
    NotInFen { color: Color, side: CastlingSide },
    /// The king is away from its home square.
    #[error("cannot castle {side}: the king stands on {king}, not on {}", king_home(*home))]
    KingNotHome {
        side: CastlingSide,
        king: Square,
        /// In Chess960 it is not known for a king that is not on its first rank.
        home: Option<Square>,
    },
    /// In Chess960, no rook is on that side of the king.
    #[error("cannot castle {side}: there is no rook on that side of the king")]
    NoRook { side: CastlingSide },
    /// The rook is away from its home square.
    #[error("cannot castle {side}: expected the rook on {home}, found {}", describe(*found))]
    RookNotHome {
        side: CastlingSide,
        home: Square,
        found: Option<Piece>,
    },
    /// The right is that of another rook on the same side.
    #[error("cannot castle with the rook on {square}: the right is that of the rook on {home}")]
    OtherRook {
        side: CastlingSide,
        square: Square,
        home: Square,
    },
    /// A square that king or rook cross or land on is occupied.
    #[error("cannot castle {side}: {square} is occupied")]
    Blocked { side: CastlingSide, square: Square },
    /// The king is in check.
    #[error("cannot castle {side}: the king is in check from {checkers}")]
    InCheck {
        side: CastlingSide,
        checkers: Attackers,
    },
    /// A square that the king crosses or lands on is attacked.
    #[error("cannot castle {side}: {square} is attacked by {attackers}")]
    Attacked {
        side: CastlingSide,
        square: Square,
        attackers: Attackers,
    },
}

impl CastlingError {
    /// The side of the board the king would castle to.
    pub const fn side(&self) -> CastlingSide {
        match *self {
            Self::NoRight { side, .. }
            | Self::KingMoved { side, .. }
            | Self::RookMoved { side, .. }
            | Self::RookCaptured { side, .. }
            | Self::NotInFen { side, .. }
            | Self::KingNotHome { side, .. }
            | Self::NoRook { side }
            | Self::RookNotHome { side, .. }
            | Self::OtherRook { side, .. }
            | Self::Blocked { side, .. }
            | Self::InCheck { side, .. }
            | Self::Attacked { side, .. } => side,
        }
    }

    /// The reason alone, without that castling is illegal: "f1 is attacked by the queen on f3".
    pub fn detail(&self) -> String {
        let text = self.to_string();
        match text.split_once(": ") {
            Some((_, reason)) => reason.to_owned(),
            None => text,
        }
    }
}

fn king_home(home: Option<Square>) -> String {
    home.map_or_else(|| "its first rank".to_owned(), |home| home.to_string())
}

fn describe(found: Option<Piece>) -> String {
    match found {
        None => "no piece".to_owned(),
        Some(piece) => {
            let color = piece.color().name();
            format!("a {color} {}", piece.role().name())
        }
    }
}
