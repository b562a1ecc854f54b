//! The messages between the page and the mode Train.

use chrono::NaiveDate;
use game::annotation::Heading;
use game::library::GameId;
use game::progress::Progress;
use movegen::Square;
use serde::{Deserialize, Serialize};

use crate::illegal::Illegal;
use crate::legal::{BoardView, ColorName, LegalMove};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Another exercise.
    Next,
    /// Plays a move by its squares or in SAN; the answer to an illegal one is the reason.
    Move {
        text: String,
    },
    /// Asks for the piece to move, then for its destination.
    Hint,
    /// Gives the exercise up.
    Solve,
    /// Annotates the games of the library that are not.
    Annotate {
        nodes: u64,
    },
    CancelAnnotation,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Exercise(Box<ExerciseView>),
    /// No exercise is due.
    Done {
        /// The number of all exercises.
        count: usize,
        /// The next day on which one is due.
        next: Option<NaiveDate>,
    },
    /// The user's play in the annotated games.
    Progress(Progress),
    /// The annotation of the library.
    Annotation {
        /// The number of games that are not annotated.
        wanting: usize,
        running: Option<AnnotatorView>,
    },
    Illegal(Illegal),
    Error {
        text: String,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct ExerciseView {
    /// The exercises that are due, with this one.
    pub(crate) due: usize,
    /// The number of all exercises.
    pub(crate) count: usize,
    pub(crate) game: GameId,
    pub(crate) ply: usize,
    pub(crate) heading: Heading,
    pub(crate) color: ColorName,
    #[serde(flatten)]
    pub(crate) board: BoardView,
    /// None once it is answered.
    pub(crate) legal: Vec<LegalMove>,
    /// True while a move is judged.
    pub(crate) judging: bool,
    /// The squares of the best move that hints have told.
    pub(crate) hint: Vec<Square>,
    /// True if there is another hint.
    pub(crate) more_hints: bool,
    /// The moves that were tried.
    pub(crate) tries: Vec<TryView>,
    pub(crate) answer: Option<AnswerView>,
}

/// The judgement of a move that was tried.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TryView {
    pub(crate) good: bool,
    pub(crate) text: String,
    pub(crate) squares: [Square; 2],
    /// The reason it is bad, where it can be proven.
    pub(crate) reason: Option<String>,
    /// The move and the engine's line after it.
    pub(crate) line: Vec<LineMove>,
}

/// The reply to an answered exercise.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AnswerView {
    pub(crate) good: bool,
    /// The mistake of the game, with its reason.
    pub(crate) played: String,
    /// The better line.
    pub(crate) line: Vec<LineMove>,
    pub(crate) best: Option<[Square; 2]>,
    /// The day on which the exercise comes again.
    pub(crate) due: NaiveDate,
}

/// A move of a line with its number, and the position after it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LineMove {
    pub(crate) text: String,
    #[serde(flatten)]
    pub(crate) board: BoardView,
}

/// The progress so far.
#[derive(Debug, Serialize)]
pub(crate) struct AnnotatorView {
    pub(crate) games: usize,
    pub(crate) of_games: usize,
    pub(crate) positions: usize,
    pub(crate) of_positions: usize,
}
