//! The messages between the page and the mode Tri-D.

use game::Side;
use game::library::GameId;
use serde::{Deserialize, Serialize};
use tridim::CastlingStatus;

use crate::legal::ColorName;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Starts a game.
    New {
        side: Side,
        /// The start position by default.
        position: Option<String>,
        #[serde(default)]
        rotation: bool,
    },
    /// Limits the engine's next searches.
    Limit {
        limit: Limit,
    },
    /// Plays a move in notation.
    Move {
        text: String,
    },
    /// Which move a typed text means, so that it can be confirmed.
    Typed {
        text: String,
    },
    /// A good move for the user.
    Hint,
    /// Activates the board on a pin: the turn will be a move of this board.
    Activate {
        pin: String,
    },
    /// Releases the activated board.
    Release,
    /// The engine makes this move.
    Go,
    /// The engine moves now.
    Stop,
    /// Undoes moves up to the user's last turn.
    Undo,
    Redo,
    /// Claims a draw.
    Claim,
    Resign,
    /// Resumes a game.
    Restore {
        saved: Vec<String>,
        limit: Limit,
        /// The name of the game in the library.
        id: Option<GameId>,
    },
}

/// When the engine moves.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Limit {
    Seconds(f64),
    /// In plies.
    Depth(u32),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The complete state.
    Game(Box<GameView>),
    /// The new game that was requested is the one shown.
    Started,
    /// The new game that was requested cannot start.
    NotStarted { text: String },
    /// A move was illegal; the squares show why.
    Illegal { text: String, squares: Vec<String> },
    /// The move in notation that a typed text means.
    Typed { text: String },
    /// A good move in notation.
    Hint { text: String },
    /// The engine has finished an iteration.
    Thinking {
        depth: u32,
        /// For White, in pawns or moves to mate.
        score: String,
        line: Vec<String>,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct GameView {
    /// The name of the game in the library.
    pub(crate) id: GameId,
    /// The position as one line of text.
    pub(crate) position: String,
    /// The side of the user.
    pub(crate) side: Side,
    pub(crate) side_to_move: ColorName,
    /// True if the user may move.
    pub(crate) movable: bool,
    /// The engine is searching.
    pub(crate) thinking: bool,
    pub(crate) limit: Limit,
    pub(crate) boards: Vec<BoardView>,
    pub(crate) pins: Vec<PinView>,
    pub(crate) pieces: Vec<PieceView>,
    pub(crate) legal: Vec<LegalMove>,
    pub(crate) castling: Vec<CastlingStatus>,
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) last: Option<LastMove>,
    /// The king in check.
    pub(crate) check: Option<String>,
    /// The waiting pawn.
    pub(crate) pending: Option<String>,
    /// The pin of the activated board.
    pub(crate) activated: Option<String>,
    /// The draws the user can claim.
    pub(crate) claims: Vec<String>,
    pub(crate) over: bool,
    /// The side to move, or the end of the game, in words.
    pub(crate) status: String,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// Restores the game.
    pub(crate) saved: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct BoardView {
    pub(crate) name: String,
    /// The side that owns an attack board.
    pub(crate) owner: Option<ColorName>,
    /// The leftmost file; the z-file is 0.
    pub(crate) file: u8,
    /// The lowest rank.
    pub(crate) rank: u8,
    pub(crate) size: u8,
    /// The reason an attack board cannot move.
    pub(crate) immobile: Option<String>,
}

/// A place for an attack board.
#[derive(Debug, Serialize)]
pub(crate) struct PinView {
    pub(crate) name: String,
    pub(crate) level: u8,
    pub(crate) file: u8,
    pub(crate) rank: u8,
    pub(crate) free: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct PieceView {
    pub(crate) square: String,
    pub(crate) color: ColorName,
    pub(crate) role: &'static str,
    /// The letter of the role, lower case.
    pub(crate) letter: char,
}

#[derive(Debug, Serialize)]
pub(crate) struct LegalMove {
    /// In notation, without marks.
    pub(crate) text: String,
    pub(crate) kind: MoveKind,
    /// A square, or the pin of a board.
    pub(crate) from: String,
    /// The squares or the pin that mean it; the destination is the first.
    pub(crate) to: Vec<String>,
    /// The letter of the role.
    pub(crate) promotion: Option<char>,
    pub(crate) capture: bool,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MoveKind {
    Piece,
    Board,
    Castling,
    /// The promotion of a waiting pawn.
    Promotion,
}

#[derive(Debug, Serialize)]
pub(crate) struct PlayedMove {
    pub(crate) number: u16,
    pub(crate) color: ColorName,
    pub(crate) text: String,
    /// The kind and squares of castling.
    pub(crate) castling: Option<String>,
    /// When it was made.
    pub(crate) time: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LastMove {
    /// Origin and destination of each piece.
    pub(crate) pieces: Vec<[String; 2]>,
    /// The pins of an attack board.
    pub(crate) board: Option<[String; 2]>,
}
