//! Outcomes of games, the claims of players, and the events they report.

use crate::piece::Color;
use core::fmt;

/// A rule under which a player may claim a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The fifty-move rule.
    FiftyMoves,
    /// Threefold repetition.
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

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side can mate; see
    /// [`Position::is_insufficient_material`](crate::Position::is_insufficient_material).
    InsufficientMaterial,
    /// 75 moves by each side without a capture or pawn move.
    SeventyFiveMoves,
    /// A position occurred five times.
    FivefoldRepetition,
    /// A player claimed a draw.
    DrawClaimed(Claim),
}

impl Outcome {
    /// The side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The value of PGN's `Result` tag.
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
            Self::DrawClaimed(Claim::FiftyMoves) => {
                f.write_str("draw claimed by the fifty-move rule")
            }
            Self::DrawClaimed(Claim::Threefold) => {
                f.write_str("draw claimed by threefold repetition")
            }
        }
    }
}

/// An event of a game: a move is played or a draw is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The move was played.
    Moved,
    /// It gives check, but not mate.
    Check,
    /// A draw may be claimed under the fifty-move rule.
    FiftyMoveRuleAvailable,
    /// A draw may be claimed by threefold repetition.
    ThreefoldAvailable,
    /// A player claimed a draw.
    DrawClaimed(Claim),
    /// The game has ended.
    Ended(Outcome),
}

impl From<Claim> for Event {
    /// The claim is available.
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::FiftyMoves => Self::FiftyMoveRuleAvailable,
            Claim::Threefold => Self::ThreefoldAvailable,
        }
    }
}
