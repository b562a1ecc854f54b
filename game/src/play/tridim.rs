//! Games of Tri-Dimensional chess.

use std::error::Error;

use common::excerpt;
use movegen::{ClaimError, Claimed, Color, Event, Outcome, PlayError};
use thiserror::Error as ThisError;
use tridim::{Game, Move, Position, Role, Rules, SquareSet};

use super::action::LineError;
use super::game_state::GameState;
use super::playable::{PlayableGame, common_methods};
use crate::Side;
use crate::game_file::GameFormat;
use crate::notation;

/// What is wrong with the rules of a saved game.
#[derive(Debug, ThisError)]
#[error("expected 'rotation on' or 'rotation off', found '{0}'")]
struct RotationError(String);

impl PlayableGame for Game {
    type Position = Position;
    type Move = Move;

    const FORMAT: GameFormat = GameFormat {
        signature: "castellan tridim game 1",
        extension: "tridim",
    };
    const RECORDS_TIMES: bool = true;

    fn standard_start() -> Position {
        Position::start(Rules::default())
    }

    common_methods!();

    fn claim(&mut self, intended: Option<Move>) -> Result<Claimed<Game, Move>, ClaimError> {
        match intended {
            None => self.claim_draw(),
            // The rules know no such claim.
            Some(_) => Err(ClaimError::NotTriggered),
        }
    }

    fn has_bare_king(&self, color: Color) -> bool {
        let others = Role::ALL.into_iter().filter(|role| *role != Role::King);
        let placement = self.position().placement();
        !others
            .map(|role| placement.pieces(color, role))
            .any(SquareSet::any)
    }

    fn last_move_text(&self) -> Option<String> {
        let before = self.positions().rev().nth(1)?;
        let number = notation::numbered(before.move_number(), before.side_to_move());
        let mv = self.moves().next_back()?;
        Some(format!("{number} {}", before.notation(mv)))
    }

    fn write_move(before: &Position, mv: Move) -> String {
        recorded(before, mv)
    }

    fn read_move(&self, text: &str) -> Result<Move, Box<dyn Error + Send + Sync>> {
        Ok(self.position().read_move(text)?)
    }

    fn heading(&self, side: Side) -> Vec<String> {
        let rotation = match self.start().rules().rotation {
            true => "on",
            false => "off",
        };
        vec![
            format!("rotation {rotation}"),
            format!("start {}", self.start()),
            format!("side {side}"),
        ]
    }

    fn follow_heading(state: &mut GameState<Game>, line: &str) -> Result<bool, LineError> {
        let unknown = || LineError::Unknown(excerpt(line));
        *state = match line.split_once(' ') {
            Some(("rotation", rotation)) => {
                let rotation = match rotation.trim() {
                    "on" => true,
                    "off" => false,
                    _ => return Err(LineError::Text(RotationError(excerpt(line)).into())),
                };
                GameState::new(Position::start(Rules { rotation }), state.side)
            }
            Some(("start", text)) => {
                let rules = state.game.start().rules();
                let start = Position::from_text(text.trim(), rules);
                GameState::new(
                    start.map_err(|error| LineError::Text(error.into()))?,
                    state.side,
                )
            }
            Some(("side", name)) => GameState::new(
                *state.game.start(),
                name.trim().parse().map_err(|_| unknown())?,
            ),
            _ => return Ok(false),
        };
        Ok(true)
    }
}

/// A move in full notation; castling with its kind and squares.
#[must_use]
pub fn recorded(position: &Position, mv: Move) -> String {
    let notation = position.notation(mv);
    match mv {
        Move::Castle(castling) => format!("{notation} ({castling})"),
        _ => notation,
    }
}
