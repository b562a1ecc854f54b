//! The messages between the page and the mode Analyze.

use movegen::Square;
use serde::{Deserialize, Serialize};

use super::shapes::Shape;
use super::tree::NodeId;
use super::view::{BoardView, Choice, GameView, LinesView, PositionView};
use crate::session::illegal::Illegal;
use crate::session::library::GameId;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Of an earlier session.
    Restore {
        pgn: String,
        path: Vec<usize>,
        id: Option<GameId>,
        /// The revision of the text of the library that the game is based on.
        #[serde(default)]
        based_on: Option<String>,
    },
    New,
    LoadPgn {
        text: String,
        /// The name of a game of the library.
        id: Option<GameId>,
    },
    /// One of the games of the text loaded last.
    Choose {
        game: usize,
    },
    LoadFen {
        fen: String,
        /// As the FEN tells if it is not given.
        chess960: Option<bool>,
    },
    Go {
        node: NodeId,
    },
    Move {
        uci: String,
    },
    /// Plays successive moves.
    Line {
        moves: Vec<String>,
    },
    /// Shows where successive moves lead.
    Preview {
        moves: Vec<String>,
    },
    /// Plays a move by its squares or in SAN.
    Typed {
        text: String,
    },
    /// The reason a move is illegal.
    Explain {
        from: Square,
        to: Square,
    },
    Delete {
        node: NodeId,
    },
    Promote {
        node: NodeId,
    },
    Comment {
        node: NodeId,
        text: String,
    },
    /// Sets the symbols of a move and its position, by their numeric annotation glyphs.
    Symbols {
        node: NodeId,
        nags: Vec<u8>,
    },
    /// Sets the arrows and circles of a position.
    Shapes {
        node: NodeId,
        shapes: Vec<Shape>,
    },
    /// Keeps the game in the library.
    Keep,
    /// Keeps the games of the text loaded last in the library.
    KeepChoices,
    /// Deletes the games that were kept by that.
    DeleteKept,
    /// Annotates them in the background.
    AnnotateKept,
    /// Whether the moves of the user's games are shown.
    OwnGames {
        on: bool,
    },
    /// Sets tags of the game; those with an empty value are removed.
    Tags {
        tags: Vec<(String, String)>,
    },
    Undo,
    Redo,
    Engine {
        on: bool,
        lines: usize,
        /// Searches what the other side would play.
        #[serde(default)]
        threat: bool,
    },
    Annotate {
        nodes: u64,
    },
    CancelAnnotation,
}

impl Request {
    /// True if the answer is a game, a choice of games, or the reason there is none.
    pub(super) fn opens(&self) -> bool {
        use Request::{Choose, LoadFen, LoadPgn, New};
        matches!(self, New | LoadPgn { .. } | Choose { .. } | LoadFen { .. })
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Game(Box<GameView>),
    /// The game that was requested is the one shown.
    Opened,
    /// The request cannot be opened.
    NotOpened {
        text: String,
    },
    Position(Box<PositionView>),
    Choices {
        games: Vec<Choice>,
        /// There may be more games, which are not read.
        cut: bool,
    },
    /// Games are kept.
    Kept {
        count: usize,
        /// True if they are the games of a file, and can be deleted again.
        choices: bool,
    },
    /// The games of a file that were kept are deleted.
    KeptDeleted {
        count: usize,
    },
    Preview {
        moves: Vec<String>,
        #[serde(flatten)]
        board: BoardView,
    },
    Illegal(Illegal),
    Engine {
        on: bool,
        lines: usize,
        threat: bool,
    },
    Lines(LinesView),
    /// The number of positions of the game that are evaluated.
    Progress {
        done: usize,
        total: usize,
    },
    /// The annotation has ended, with `text` if it is not complete.
    Annotated {
        text: Option<String>,
    },
    Error {
        text: String,
    },
}
