//! The messages between the page and the mode Play.

use std::collections::VecDeque;

use game::Side;
use game::library::GameId;
use game::play::Premove;
use serde::{Deserialize, Serialize};

use super::analysis;
use crate::illegal::Illegal;
use crate::legal::{ColorName, LegalMove, NamedMove};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// The page wants the state of the game.
    State,
    New(NewRequest),
    /// Plays a move by its squares or in SAN; the answer to an illegal one is the reason.
    Move {
        text: String,
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
        text: String,
    },
    Hint,
    /// Stops both clocks.
    Pause,
    Resume,
    /// Starts such a game with the other side.
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
    Error {
        text: String,
    },
}

/// A request for a new game.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct NewRequest {
    #[serde(default)]
    pub(crate) side: ChosenSide,
    #[serde(default)]
    pub(crate) start: Start,
    /// Minutes and seconds per move, such as `5+3`.
    pub(crate) clock: Option<String>,
    /// Limits the playing strength.
    pub(crate) elo: Option<u32>,
    pub(crate) move_time: Option<u32>,
    #[serde(default)]
    pub(crate) resigns: bool,
    #[serde(default)]
    pub(crate) takes_time: bool,
}

/// The side that the user chooses.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChosenSide {
    #[default]
    White,
    Black,
    Random,
    Both,
}

/// The start position that the user chooses; a missing number is random.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Start {
    #[default]
    Standard,
    Fen {
        fen: String,
        #[serde(default)]
        chess960: bool,
    },
    Chess960 {
        number: Option<u16>,
    },
    Dfrc {
        white: Option<u16>,
        black: Option<u16>,
    },
}

/// The state that the page keeps, so that a game outlives its session.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// The lines of a saved game.
    pub(crate) actions: Vec<String>,
    pub(crate) settings: Settings,
    #[serde(default)]
    pub(crate) paused: bool,
    /// Names the game in the library.
    #[serde(default)]
    pub(crate) id: Option<GameId>,
}

/// The limits of the engine in one game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Milliseconds per move.
    pub(crate) move_time: Option<u32>,
    /// True if the engine resigns lost games.
    #[serde(default)]
    pub(crate) resigns: bool,
    /// True if the engine takes a moment for its moves, as a person does, where its strength is
    /// limited.
    #[serde(default)]
    pub(crate) takes_time: bool,
    /// The name of the start position, unless it is obvious.
    #[serde(default)]
    pub(crate) start: Option<String>,
    /// The name of the user, if it is known.
    #[serde(default)]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct GameView {
    /// The last position.
    pub(crate) fen: String,
    pub(crate) side: Side,
    pub(crate) start: PlyView,
    /// The name of the start position, unless it is obvious.
    pub(crate) start_name: Option<String>,
    pub(crate) moves: Vec<MoveView>,
    /// The opening, by the last position that has a name.
    pub(crate) opening: Option<String>,
    pub(crate) legal: Vec<LegalMove>,
    /// The side whose pieces the user may move, now or as a premove.
    pub(crate) movable: Option<Side>,
    pub(crate) clocks: Option<ClocksView>,
    pub(crate) thinking: Option<&'static str>,
    /// The moves to play as soon as the engine has moved, one after each of its moves.
    pub(crate) premoves: VecDeque<Premove>,
    pub(crate) hint: Option<MoveView>,
    /// The rules under which a draw may be claimed now.
    pub(crate) claims: Vec<String>,
    /// The moves that they rest on, in words.
    pub(crate) claims_because: Option<String>,
    /// The moves with which a draw may be claimed.
    pub(crate) claims_with: Vec<ClaimView>,
    pub(crate) can_take_back: bool,
    pub(crate) can_redo: bool,
    pub(crate) can_pause: bool,
    pub(crate) paused: bool,
    pub(crate) can_offer_draw: bool,
    pub(crate) result: Option<ResultView>,
    pub(crate) players: Players,
    pub(crate) pgn: String,
    pub(crate) saved: Saved,
}

/// A position of the game.
#[derive(Debug, Serialize)]
pub(crate) struct PlyView {
    pub(crate) fen: String,
    pub(crate) check: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct MoveView {
    /// `12.` or `12...`.
    pub(crate) number: String,
    #[serde(flatten)]
    pub(crate) mv: NamedMove,
    /// The mover's clock after the move, in milliseconds.
    pub(crate) clock: Option<u64>,
    pub(crate) after: PlyView,
}

#[derive(Debug, Serialize)]
pub(crate) struct ClocksView {
    pub(crate) white: u64,
    pub(crate) black: u64,
    /// The side whose clock runs.
    pub(crate) running: Option<ColorName>,
    /// Seconds and increment, such as `300+3`.
    pub(crate) control: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ClaimView {
    #[serde(flatten)]
    pub(crate) mv: NamedMove,
    pub(crate) rule: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ResultView {
    pub(crate) text: String,
    /// The result in PGN.
    pub(crate) result: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Players {
    pub(crate) white: String,
    pub(crate) black: String,
}
