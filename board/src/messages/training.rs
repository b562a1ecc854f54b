//! The messages between the page and the mode Train.

use chrono::NaiveDate;
use game::annotation::Heading;
use game::deck::Source;
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
    /// Never shows the exercise again.
    Drop,
    /// Shows the exercise tomorrow.
    Later,
    /// Brings back the exercise that was dropped or deferred last.
    Undo,
    /// Brings back all exercises that were dropped.
    Restore,
    /// Shows only exercises in all of these groups.
    Filter {
        groups: Vec<String>,
    },
    /// The number of exercises a day from now on.
    Daily {
        count: usize,
    },
    /// More exercises today.
    More,
    /// Annotates the games of the library that are not, or only those of the user.
    Annotate {
        nodes: u64,
        #[serde(default)]
        own: bool,
    },
    CancelAnnotation,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Exercise(Box<ExerciseView>),
    /// No exercise is due, or those of today are done.
    Done {
        #[serde(flatten)]
        numbers: Numbers,
        /// The next day on which one is due.
        next: Option<NaiveDate>,
    },
    /// The user's play in the annotated games.
    Progress(Progress),
    /// The games of the library that are not annotated.
    Annotation {
        wanting: usize,
        /// Those of the user among them.
        own: usize,
    },
    Illegal(Illegal),
    Error {
        text: String,
    },
}

/// The numbers of exercises.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Numbers {
    pub(crate) count: usize,
    pub(crate) due: usize,
    /// Those answered today, of those for today.
    pub(crate) done: usize,
    pub(crate) today: usize,
    /// The number that is chosen for every day.
    pub(crate) daily: usize,
    pub(crate) dropped: usize,
    /// True if one was dropped or deferred on this page.
    pub(crate) can_undo: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct ExerciseView {
    #[serde(flatten)]
    pub(crate) numbers: Numbers,
    /// `None` for an exercise of the repertoire.
    pub(crate) game: Option<GameId>,
    pub(crate) ply: usize,
    pub(crate) heading: Heading,
    /// The source of the move, if it is an exercise of an opening.
    pub(crate) opening: Option<Source>,
    /// The moves before an exercise of the repertoire.
    pub(crate) path: String,
    pub(crate) color: ColorName,
    #[serde(flatten)]
    pub(crate) board: BoardView,
    /// The position before the opponent's last move.
    pub(crate) before: Option<BoardView>,
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
    /// The move of the game, with the reason it is a mistake.
    pub(crate) played: Option<String>,
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
