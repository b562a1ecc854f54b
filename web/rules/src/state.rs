//! A position of a game, and whether the game has ended.

use formats::notation;
use formats::uci_position::UciPosition;
use movegen::{Claim, Color, Outcome, Variant};
use serde::Serialize;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct State {
    fen: String,
    chess960: bool,
    turn: Color,
    in_check: bool,
    /// The rule that has ended the game.
    outcome: Option<Ended>,
    /// The rules by which a draw may be claimed.
    claims: Vec<ClaimName>,
    /// Parts of the FEN that the position cannot have.
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Ended {
    reason: OutcomeName,
    winner: Option<Color>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    result: &'static str,
    /// In words.
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum OutcomeName {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    SeventyFiveMoves,
    FivefoldRepetition,
    DrawClaimed,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum ClaimName {
    FiftyMoves,
    Threefold,
}

impl State {
    pub(crate) fn of(played: &UciPosition) -> Self {
        let game = &played.game;
        let position = game.position();
        let outcome = game.outcome();
        // As in Python: nothing is claimed once the game has ended.
        let claims = if outcome.is_some() {
            Vec::new()
        } else {
            game.claims()
        };
        let claims = claims.into_iter().map(|claim| match claim {
            Claim::FiftyMoves => ClaimName::FiftyMoves,
            Claim::Threefold => ClaimName::Threefold,
        });
        Self {
            fen: notation::fen(position, position.variant()),
            chess960: position.variant() == Variant::Chess960,
            turn: position.side_to_move(),
            in_check: position.in_check(),
            outcome: outcome.map(Ended::from),
            claims: claims.collect(),
            warnings: played.dropped.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        let reason = match outcome {
            Outcome::Checkmate { .. } => OutcomeName::Checkmate,
            Outcome::Stalemate => OutcomeName::Stalemate,
            Outcome::InsufficientMaterial => OutcomeName::InsufficientMaterial,
            Outcome::SeventyFiveMoves => OutcomeName::SeventyFiveMoves,
            Outcome::FivefoldRepetition => OutcomeName::FivefoldRepetition,
            Outcome::DrawClaimed(_) => OutcomeName::DrawClaimed,
        };
        Self {
            reason,
            winner: outcome.winner(),
            result: outcome.result(),
            text: outcome.to_string(),
        }
    }
}
