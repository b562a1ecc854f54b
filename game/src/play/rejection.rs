//! The reasons for which an action or a line of a saved game is rejected.

use common::input::InputError;
use movegen::{ClaimError, Color, FenError, Outcome, PlayError, UciMoveError};
use thiserror::Error;

use formats::pgn::GameResult;

/// The reason an action was rejected. The state is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ActionRejected {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error("Draw cannot be claimed: {}.", claim_refusal(.0))]
    Claim(#[from] ClaimError),
    #[error("the game is over: {0} resigned")]
    Resigned(Color),
    #[error("the game is over: draw by agreement")]
    Agreed,
    #[error("the game is over: the time of {0} has run out")]
    Flagged(Color),
    #[error("the game is over: {} by its Result tag; 'undo' or 'new' to play on", .0.as_str())]
    Recorded(GameResult),
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("no move to undo")]
    NothingToUndo,
    #[error("no move to redo")]
    NothingToRedo,
}

/// The words of the console, which a claim too early has always had.
fn claim_refusal(error: &ClaimError) -> String {
    match error {
        ClaimError::NotTriggered => "the 50-move rule has not been triggered".to_owned(),
        _ => error.to_string(),
    }
}

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
