//! The interface of a game that can be played, besides its rules.

use std::fmt;

use common::input::InputError;
use movegen::{Color, FenError, Game, GamePosition, UciMoveError};
use thiserror::Error;

use super::action::ActionRejected;
use crate::Side;

/// The reason a line of a saved game was not followed. The game is unchanged.
#[derive(Debug, Error)]
pub enum LineError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("invalid action '{0}'")]
    Action(String),
    #[error(transparent)]
    Start(#[from] FenError),
    #[error(transparent)]
    Move(#[from] UciMoveError),
    #[error(transparent)]
    Rejected(#[from] ActionRejected),
    #[cfg(feature = "tridim")]
    #[error("expected 'rotation on' or 'rotation off', found '{0}'")]
    Rotation(String),
    #[cfg(feature = "tridim")]
    #[error(transparent)]
    TridimStart(#[from] ::tridim::TextError),
    #[cfg(feature = "tridim")]
    #[error(transparent)]
    TridimMove(#[from] ::tridim::MoveError),
}

/// A position of a game that can be played and saved.
pub trait PlayablePosition: GamePosition<Move: Eq + fmt::Debug> + fmt::Debug {
    /// A move out of turn.
    type Premove: Copy + fmt::Debug;

    /// The first line of every saved game.
    const SIGNATURE: &'static str;
    /// True if a game records when each move was made.
    const RECORDS_TIMES: bool;
    /// True if the rules know claims with an intended move.
    const CLAIMS_WITH_MOVES: bool;

    fn standard_start() -> Self;

    /// True if a side cannot win because it has only its king.
    fn has_bare_king(&self, color: Color) -> bool;

    /// The move that a premove has become, if it is legal now.
    fn premoved(&self, premove: Self::Premove) -> Option<Self::Move>;

    /// In words, what counts for the claim of a draw and what is missing.
    fn draw_report(_: &Game<Self>) -> Option<String> {
        None
    }

    /// Writes a move for a saved game, with a remark in parentheses if it needs one.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Reads the next move of a saved game.
    fn read_move(&self, text: &str) -> Result<Self::Move, LineError>;

    /// The first lines of a saved game that starts here.
    fn heading(&self, side: Side) -> Vec<String>;

    /// The start and the user's side after another line of a heading; `None` if it is no such line.
    fn read_heading(&self, side: Side, line: &str) -> Result<Option<(Self, Side)>, LineError>;
}
