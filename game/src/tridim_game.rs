//! A game of Tri-Dimensional chess against the engine or between two players, and its saved form.

mod game_state;
pub mod saved_game;

pub use game_state::{Action, ActionRejected, GameState, LineError, recorded};
