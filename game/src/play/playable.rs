//! What a game must offer to be played.

use std::error::Error;
use std::fmt;

use movegen::{ClaimError, Claimed, Color, Event, Outcome, PlayError};

use super::action::LineError;
use super::game_state::GameState;
use crate::Side;
use crate::game_file::GameFormat;

/// A game with its rules and its saved form.
pub trait PlayableGame: Clone + fmt::Debug {
    type Position: Copy + fmt::Debug;
    type Move: Copy + PartialEq + Eq + fmt::Debug;

    const FORMAT: GameFormat;
    /// Whether a game records when each move was made.
    const RECORDS_TIMES: bool;

    fn standard_start() -> Self::Position;

    /// A game without moves.
    fn begin(start: Self::Position) -> Self;

    fn position(&self) -> &Self::Position;

    fn side_to_move(&self) -> Color;

    /// Who made each move.
    fn movers(&self) -> Vec<Color>;

    fn outcome(&self) -> Option<Outcome>;

    /// The claims that the side to move may make.
    fn available_claims(&self) -> Vec<Event<Self::Move>>;

    fn play(&mut self, mv: Self::Move) -> Result<Vec<Event<Self::Move>>, PlayError>;

    fn undo(&mut self) -> Option<Self::Move>;

    fn can_redo(&self) -> bool;

    fn redo(&mut self) -> Option<Self::Move>;

    /// Claims a draw, with an intended move where the rules know such claims.
    fn claim(
        &mut self,
        intended: Option<Self::Move>,
    ) -> Result<Claimed<Self, Self::Move>, ClaimError>;

    /// Whether a side cannot win because it has only its king.
    fn has_bare_king(&self, color: Color) -> bool;

    /// The last move with its number, for people.
    fn last_move_text(&self) -> Option<String>;

    /// Writes a move for a saved game, with a remark in parentheses if it needs one.
    fn write_move(before: &Self::Position, mv: Self::Move) -> String;

    /// Reads the next move of a saved game.
    fn read_move(&self, text: &str) -> Result<Self::Move, Box<dyn Error + Send + Sync>>;

    /// The first lines of a saved game that starts here.
    fn heading(&self, side: Side) -> Vec<String>;

    /// Starts the game over as a line of a heading says; returns whether it was one.
    fn follow_heading(state: &mut GameState<Self>, line: &str) -> Result<bool, LineError>;
}

/// The methods that both kinds of games have under these names.
macro_rules! common_methods {
    () => {
        fn begin(start: Position) -> Game {
            Game::new(start)
        }

        fn position(&self) -> &Position {
            self.position()
        }

        fn side_to_move(&self) -> Color {
            self.position().side_to_move()
        }

        fn movers(&self) -> Vec<Color> {
            let movers = self.positions().map(Position::side_to_move);
            movers.take(self.moves().len()).collect()
        }

        fn outcome(&self) -> Option<Outcome> {
            self.outcome()
        }

        fn available_claims(&self) -> Vec<Event<Move>> {
            self.available_claims().collect()
        }

        fn play(&mut self, mv: Move) -> Result<Vec<Event<Move>>, PlayError> {
            self.play(mv)
        }

        fn undo(&mut self) -> Option<Move> {
            self.undo()
        }

        fn can_redo(&self) -> bool {
            self.can_redo()
        }

        fn redo(&mut self) -> Option<Move> {
            self.redo()
        }
    };
}

pub(super) use common_methods;
