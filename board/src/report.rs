//! Results of tasks and other inputs that a session waits for.

use game::annotation::Evaluation;
use game::library::GameId;
use game::play::Reply;
use movegen::Move;
use search::{Info, SearchError, SearchResult};

use crate::messages::variants;

/// An input that a session waits for.
#[derive(Debug)]
pub(crate) enum Input {
    /// The task with this number has sent a report, or has ended.
    Task(u64, Option<Report>),
    Annotator(AnnotatorReport),
    /// A request waits in its channel.
    #[cfg(not(target_family = "wasm"))]
    Request,
    /// The page has disconnected.
    #[cfg(not(target_family = "wasm"))]
    Closed,
}

/// A report of a task to its mode.
#[derive(Debug)]
pub(crate) enum Report {
    Play(PlayReport),
    Analysis(AnalysisReport),
    Training(TrainingReport),
    Tridim(TridimReport),
    /// The annotator has worked on a game.
    Annotator,
}

/// A report of the annotator to every session.
#[derive(Debug)]
pub(crate) enum AnnotatorReport {
    Progress,
    /// A game of the library is annotated.
    Annotated(GameId),
    Failed(String),
}

#[derive(Debug)]
pub(crate) enum PlayReport {
    Reply(Result<Option<Reply>, SearchError>),
    Evaluated(Result<SearchResult, SearchError>),
    Review(Progress),
}

/// A report of the task.
#[derive(Debug)]
pub(crate) enum AnalysisReport {
    Lines(Vec<Info>),
    Annotation(Progress),
    Failed(String),
}

/// The result of the search after a move that is tried.
#[derive(Debug)]
pub(crate) struct TrainingReport(
    pub(crate) Move,
    pub(crate) Result<SearchResult, SearchError>,
);

#[derive(Debug)]
pub(crate) enum TridimReport {
    Iteration(tridim::search::SearchResult),
    Best(Option<tridim::Move>),
}

/// A report of the task.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Another position is evaluated.
    Searched,
    /// The evaluations of the next chunk of the game.
    Evaluated(Vec<Evaluation>),
    Failed(String),
}

variants! {
    Report::Play(PlayReport),
    Report::Analysis(AnalysisReport),
    Report::Training(TrainingReport),
    Report::Tridim(TridimReport),
}
