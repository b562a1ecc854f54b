//! Games against the engine or between two players.
//!
//! A [`GameState`] is a game with its clocks and its end; only [`Action`]s change it, and a saved
//! game is the list of its actions. An [`Opponent`] chooses the engine's moves, an [`EndPolicy`]
//! when it claims, resigns or agrees to a draw.
//!
//! ```
//! use game::play::{Action, GameState, parse_move};
//!
//! let mut state = GameState::default();
//! let mv = parse_move(&state.game, "Nf3")?;
//! let variant = state.variant;
//! state.apply(Action::Move { mv, variant, clock: None })?;
//! let lines: Vec<String> = state.actions().iter().map(Action::to_string).collect();
//! assert_eq!(lines.last().map(String::as_str), Some("move g1f3"));
//!
//! let mut restored = GameState::default();
//! for line in &lines {
//!     restored.follow(line)?;
//! }
//! assert_eq!(restored.game, state.game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod end_policy;
mod game_state;
mod opponent;
pub mod saved_game;
mod time_control;
mod typed_move;

pub use action::{Action, ActionError, ActionRejected, NewGame};
pub use end_policy::EndPolicy;
pub use game_state::GameState;
pub use opponent::{Opponent, Reply, Strength, engine_name};
pub use time_control::{Clocks, MAX_CLOCK, MOVE_SECONDS, TimeControl, shown as shown_clock};
pub use typed_move::{LegalError, TypedMoveError, legal, legal_from, parse as parse_move};
