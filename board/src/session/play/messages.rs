//! The messages between the page and the mode Play.

use game::play::Premove;
use movegen::Square;
use serde::{Deserialize, Serialize};

use super::Saved;
use super::start::NewRequest;
use super::view::GameView;
use crate::session::analysis;
use crate::session::illegal::Illegal;
use crate::session::library::GameId;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The page wants the state of the game.
    State,
    New(NewRequest),
    Move {
        uci: String,
    },
    /// A move typed by its squares or in SAN.
    Typed {
        text: String,
    },
    /// The reason a move is illegal.
    Explain {
        from: Square,
        to: Square,
    },
    /// A move to play as soon as the engine has moved, if it is legal then.
    Premove(Premove),
    CancelPremove,
    /// The engine moves at once.
    MoveNow,
    Takeback,
    Redo,
    Resign,
    OfferDraw,
    ClaimDraw,
    /// A claim with an intended move.
    ClaimDrawWith {
        uci: String,
    },
    Hint,
    /// Stops both clocks.
    Pause,
    Resume,
    /// The same game with the other side.
    Rematch,
    /// Continues an unfinished game of the library.
    Continue {
        id: GameId,
    },
    /// The review of the game that is over.
    Review,
    /// The game as an earlier state described it.
    Restore {
        saved: Saved,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The complete state.
    Game(Box<GameView>),
    /// The new game that was requested is the one shown.
    Started,
    /// The new game that was requested cannot start.
    NotStarted {
        text: String,
    },
    Illegal(Illegal),
    /// The number of positions evaluated for the review of the game.
    ReviewProgress {
        done: usize,
        total: usize,
    },
    /// The annotated game.
    Review(Box<analysis::GameView>),
    /// An action or message of the engine besides moving.
    Note {
        text: String,
    },
    Error {
        text: String,
    },
}
