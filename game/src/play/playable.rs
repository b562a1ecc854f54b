//! The interface of a game that can be played, besides its rules.

use std::fmt;

use movegen::{Color, Game, GamePosition};

use super::rejection::LineError;
use crate::Side;

/// A position of a game that can be played and saved.
pub trait PlayablePosition: GamePosition<Move: Eq + fmt::Debug> + fmt::Debug {
    /// A move out of turn.
    type Premove: Copy + fmt::Debug;

    /// The first line of every saved game.
    const SIGNATURE: &'static str;
    /// True if the rules know claims with an intended move.
    const CLAIMS_WITH_MOVES: bool;

    fn standard_start() -> Self;

    /// The position without what its player has chosen before a move.
    fn without_choice(&self) -> Self {
        *self
    }

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
