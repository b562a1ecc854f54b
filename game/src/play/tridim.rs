//! Games of Tri-Dimensional chess.

use std::convert::Infallible;

use common::excerpt;
use movegen::Color;
use tridim::{Move, Position, Role, Rules, SquareSet};

use super::end_policy::Opponent;
use super::playable::PlayablePosition;
use super::rejection::LineError;
use crate::Side;

impl PlayablePosition for Position {
    /// There are none.
    type Premove = Infallible;

    const SIGNATURE: &'static str = "castellan tridim game 1";
    const CLAIMS_WITH_MOVES: bool = false;

    fn standard_start() -> Self {
        Self::start(Rules::default())
    }

    fn without_choice(&self) -> Self {
        self.release()
    }

    fn has_bare_king(&self, color: Color) -> bool {
        let others = Role::ALL.into_iter().filter(|role| *role != Role::King);
        !others
            .map(|role| self.placement().pieces(color, role))
            .any(SquareSet::any)
    }

    fn premoved(&self, premove: Infallible) -> Option<Move> {
        match premove {}
    }

    /// Castling with its kind and squares.
    fn write_move(&self, mv: Move) -> String {
        let notation = self.notation(mv);
        match mv {
            Move::Castle(castling) => format!("{notation} ({castling})"),
            _ => notation,
        }
    }

    fn read_move(&self, text: &str) -> Result<Move, LineError> {
        Ok(self.read_move(text)?)
    }

    fn heading(&self, side: Side) -> Vec<String> {
        let rotation = if self.rules().rotation { "on" } else { "off" };
        vec![
            format!("rotation {rotation}"),
            format!("start {self}"),
            format!("side {side}"),
        ]
    }

    fn read_heading(&self, side: Side, line: &str) -> Result<Option<(Self, Side)>, LineError> {
        Ok(match line.split_once(' ') {
            Some(("rotation", rotation)) => {
                let rotation = match rotation.trim() {
                    "on" => true,
                    "off" => false,
                    _ => return Err(LineError::Rotation(excerpt(line))),
                };
                Some((Self::start(Rules { rotation }), side))
            }
            Some(("start", text)) => {
                let start = Self::from_text(text.trim(), self.rules())?;
                // Older games were saved with a board that could be released before the first move.
                Some((start.release(), side))
            }
            Some(("side", name)) => name.trim().parse().ok().map(|side| (*self, side)),
            _ => None,
        })
    }
}

/// It plays to the end.
impl Opponent for Position {}
