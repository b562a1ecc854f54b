//! The messages between the page and the mode Analyze.

use game::annotation::Heading;
use game::library::GameId;
use game::tree::NodeId;
use movegen::Square;
use serde::{Deserialize, Serialize};

use crate::illegal::Illegal;
use crate::legal::{BoardView, LegalMove, NamedMove};
use crate::own::OwnSide;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Restores the game of an earlier session.
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
    /// Opens one of the games of the text loaded last.
    Choose {
        game: usize,
    },
    LoadFen {
        fen: String,
        /// If it is not given, the FEN tells.
        chess960: Option<bool>,
    },
    Go {
        node: NodeId,
    },
    /// Plays a move by its squares or in SAN; the answer to an illegal one is the reason.
    Move {
        text: String,
    },
    /// Plays successive moves.
    Line {
        moves: Vec<String>,
    },
    /// Shows where successive moves lead.
    Preview {
        moves: Vec<String>,
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
    /// True if the moves of the user's games are shown.
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

/// The game with all its variations.
#[derive(Debug, Serialize)]
pub(crate) struct GameView {
    pub(crate) id: GameId,
    /// The revision of the text of the library that the game is based on.
    pub(crate) based_on: Option<String>,
    pub(crate) heading: Heading,
    pub(crate) own: Option<OwnSide>,
    pub(crate) chess960: bool,
    /// All tags that can be changed.
    pub(crate) tags: Vec<(String, String)>,
    /// Each node behind its parent and in the order of its siblings.
    pub(crate) nodes: Vec<NodeView>,
    /// The play of both sides in an annotated game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<[SideSummary; 2]>,
    /// The moves that decided it.
    pub(crate) moments: Vec<NodeId>,
    /// The game can be restored from it.
    pub(crate) pgn: String,
    pub(crate) undo: bool,
    pub(crate) redo: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct NodeView {
    pub(crate) id: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<NodeId>,
    /// `12.` or `12...`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) san: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nags: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<Score>,
    /// White's expected score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) points: Option<f64>,
    /// The time that a move of the main line took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// The mover's clock after the move, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<u64>,
    /// The comment before a variation's first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) opening: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) comment: String,
}

/// A score from White's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Score {
    Cp(i32),
    Mate(i32),
}

/// The play of one side, by the annotations.
#[derive(Debug, Default, Serialize)]
pub(crate) struct SideSummary {
    pub(crate) accuracy: Option<f64>,
    pub(crate) acpl: Option<u32>,
    pub(crate) inaccuracies: u32,
    pub(crate) mistakes: u32,
    pub(crate) blunders: u32,
}

/// A game of a file with several.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Choice {
    Game {
        heading: Box<Heading>,
        own: Option<OwnSide>,
        moves: usize,
    },
    Invalid {
        error: String,
    },
}

/// The position that is shown.
#[derive(Debug, Serialize)]
pub(crate) struct PositionView {
    pub(crate) node: NodeId,
    /// Leads to it after a restart.
    pub(crate) path: Vec<usize>,
    #[serde(flatten)]
    pub(crate) board: BoardView,
    pub(crate) legal: Vec<LegalMove>,
    /// The outcome of the game.
    pub(crate) outcome: Option<String>,
    pub(crate) opening: Option<String>,
    /// Arrows and circles of its comment.
    pub(crate) shapes: Vec<Shape>,
    /// The reason the other side threatens nothing.
    pub(crate) no_threat: Option<String>,
    pub(crate) tablebase: Option<TablebaseView>,
    /// Without a book of the user `None`.
    pub(crate) book: Option<Vec<BookMoveView>>,
    /// The moves of the user's games with White and with Black, if they are to be shown.
    pub(crate) own_games: Option<[Vec<OwnMoveView>; 2]>,
}

/// A circle, or with `to` an arrow.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) from: Square,
    pub(crate) to: Option<Square>,
    pub(crate) color: ShapeColor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShapeColor {
    Green,
    Red,
    Yellow,
    Blue,
}

#[derive(Debug, Serialize)]
pub(crate) struct TablebaseView {
    pub(crate) verdict: String,
    pub(crate) moves: Vec<TablebaseMove>,
}

#[derive(Debug, Serialize)]
pub(crate) struct TablebaseMove {
    #[serde(flatten)]
    pub(crate) mv: NamedMove,
    pub(crate) value: Value,
    pub(crate) mate: bool,
    /// A capture or pawn move.
    pub(crate) zeroing: bool,
    /// The distance to zeroing after it, without sign; 0 in draws.
    pub(crate) dtz: u32,
}

/// The value of a position or a move for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Value {
    Win,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    Draw,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    Loss,
}

/// A move of the book with its share of all games, in percent.
#[derive(Debug, Serialize)]
pub(crate) struct BookMoveView {
    #[serde(flatten)]
    pub(crate) mv: NamedMove,
    pub(crate) weight: u32,
    pub(crate) share: f64,
}

/// A move of own games with the user's results.
#[derive(Debug, Serialize)]
pub(crate) struct OwnMoveView {
    #[serde(flatten)]
    pub(crate) mv: NamedMove,
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    /// In percent.
    pub(crate) score: f64,
}

/// The lines of the running search.
#[derive(Debug, Serialize)]
pub(crate) struct LinesView {
    pub(crate) node: NodeId,
    pub(crate) depth: u32,
    pub(crate) selective_depth: u32,
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: u64,
    pub(crate) tablebase_hits: u64,
    pub(crate) threat: bool,
    pub(crate) lines: Vec<LineView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LineView {
    pub(crate) depth: u32,
    pub(crate) score: Score,
    pub(crate) points: f64,
    /// White's chances to win, to draw and to lose, in permille.
    pub(crate) wdl: [u32; 3],
    pub(crate) pv: Vec<PvMove>,
}

#[derive(Debug, Serialize)]
pub(crate) struct PvMove {
    #[serde(flatten)]
    pub(crate) mv: NamedMove,
    /// `12.` or `12...`.
    pub(crate) number: String,
}
