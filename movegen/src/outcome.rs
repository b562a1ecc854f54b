//! How a game can end, and what a player may claim.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;
use std::fmt;

/// The clock from which the side to move may claim a draw by the fifty-move rule.
pub const FIFTY_MOVE_PLIES: u16 = 100;
/// The clock at which the game is drawn without a claim.
pub const SEVENTY_FIVE_MOVE_PLIES: u16 = 150;
/// Occurrences of a position from which a draw may be claimed.
pub const THREEFOLD: usize = 3;
/// Occurrences of a position at which the game is drawn without a claim.
pub const FIVEFOLD: usize = 5;

/// A draw that happens only when a player asks for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    FiftyMoves,
    Threefold,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FiftyMoves => "fifty-move rule",
            Self::Threefold => "threefold repetition",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
    SeventyFiveMoves,
    FivefoldRepetition,
    DrawClaimed(Claim),
}

impl Outcome {
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// As PGN's `Result` tag has it.
    #[must_use]
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            Self::Stalemate => f.write_str("draw by stalemate"),
            Self::InsufficientMaterial => f.write_str("draw by insufficient material"),
            Self::SeventyFiveMoves => f.write_str("draw by the seventy-five-move rule"),
            Self::FivefoldRepetition => f.write_str("draw by fivefold repetition"),
            Self::DrawClaimed(claim) => write!(f, "draw claimed by the {claim}"),
        }
    }
}

impl Position {
    /// No sequence of legal moves can mate: bare kings, one minor piece in all, or only
    /// bishops that all stand on squares of one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let knights = self.role(Role::Knight);
        let bishops = self.role(Role::Bishop);
        let kings = self.role(Role::King);
        if self.occupied() != kings | knights | bishops {
            return false;
        }
        let one_color =
            (bishops & Bitboard::DARK).is_empty() || (bishops & !Bitboard::DARK).is_empty();
        (knights | bishops).count() <= 1 || (knights.is_empty() && one_color)
    }
}
