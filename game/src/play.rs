//! Games against the engine or between two players.
//!
//! A [`GameState`] is a game of chess or of Tri-Dimensional chess with its clocks and its end. Only
//! [`Action`]s change it, each one line of a saved game. A [`Controller`] conducts it: it takes the
//! commands of a user, knows when which search is due, and ends the game where the engine claims,
//! resigns or agrees to a draw.
//!
//! ```
//! use game::play::{GameState, parse_move};
//!
//! let mut state: GameState = GameState::default();
//! state.play(parse_move(&state.game, "Nf3")?)?;
//! assert!(state.lines().last().is_some_and(|line| line.starts_with("move g1f3")));
//!
//! let mut restored: GameState = GameState::default();
//! for line in state.lines() {
//!     restored.follow(line)?;
//! }
//! assert_eq!(restored.game, state.game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod chess;
mod clock;
mod controller;
mod end_policy;
mod game_state;
mod legal;
mod playable;
mod rejection;
pub mod saved_game;
#[cfg(test)]
mod tests;
mod time_control;
#[cfg(feature = "tridim")]
mod tridim;

pub use action::{Action, written_time};
pub use chess::Premove;
pub use controller::{Command, Controller, Job, Notice, Refusal};
pub use end_policy::{Opponent, Reply};
pub use formats::typed_move::{TypedMoveError, parse as parse_move};
pub use game_state::GameState;
pub use legal::{PieceError, legal, legal_from};
pub use playable::PlayablePosition;
pub use rejection::{ActionRejected, LineError};
pub use time_control::{Clocks, MOVE_SECONDS, TimeControl, TimeControlError, shown as shown_clock};

/// A game of Tri-Dimensional chess.
#[cfg(feature = "tridim")]
pub type TridimState = GameState<::tridim::Position>;
