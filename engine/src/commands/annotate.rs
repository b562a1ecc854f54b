//! `castellan annotate`: games in, the same games out with the value of every position, marks
//! behind bad moves, what would have been better, and how well each side played.
//!
//! `source` takes games apart into pieces of work; `judge` values the positions of a piece;
//! `notes` writes into the record what that says; `page` makes a page of it.

mod judge;
mod notes;
mod output;
mod page;
mod source;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use search::SearchError;
use thiserror::Error;

use crate::commands::parallel::{JobsError, ordered_map};
use crate::commands::search_args::MeansArgs;
use crate::eval_file::EvalFileError;
use crate::output::progress;

use judge::{Judge, Judgement};
use output::{Output, OutputError};
use source::{Numbered, Piece, Source, SourceError};

/// Annotates games: the value of every position, marks, better moves, accuracy
///
/// What is said of the moves already stays, but for older values. A broken game is named, with
/// the line and the reason, and left out; the others are annotated all the same.
#[derive(Debug, clap::Args)]
pub(crate) struct AnnotateArgs {
    /// Files of games; '-', or none, is standard input
    #[arg(value_name = "PGN")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    means: MeansArgs,
    /// Writes the games to a new file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Writes a page for each game into this folder, to be looked at in a browser
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
}

/// Why games were not annotated.
#[derive(Debug, Error)]
pub(crate) enum AnnotateError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Jobs(#[from] JobsError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("each position is searched with one thread; --jobs says how many at once")]
    Threads,
    #[error("endgame tables are not asked here; leave SyzygyPath out")]
    Tablebases,
    #[error("{} of {of} could not be read", games(*.broken))]
    Broken { broken: u64, of: u64 },
}

fn games(count: u64) -> String {
    match count {
        1 => "1 game".to_owned(),
        _ => format!("{count} games"),
    }
}

/// Annotates everything, or until nobody reads it.
pub(crate) fn run(args: &AnnotateArgs) -> Result<(), AnnotateError> {
    let means = args.means.means()?;
    if means.threads > 1 {
        return Err(AnnotateError::Threads);
    }
    if means.has_tablebases() {
        return Err(AnnotateError::Tablebases);
    }
    let bar = progress::bytes(&args.games);
    let mut source = Source::new(&args.games, means.variant, bar.clone())?;
    let mut output = Output::open(args.out.as_deref(), args.html.as_deref())?;
    let mut gathered = Vec::new();
    let done: Result<(), AnnotateError> = ordered_map(
        means.jobs,
        || Ok(source.next_piece()?),
        || Ok(Judge::new(means.single_threaded()?, means.limits.clone())),
        |judge, piece: Piece| {
            let judged = judge.judge(&piece);
            (piece, judged)
        },
        |(piece, judged): (Piece, Vec<Judgement>)| {
            gathered.extend(judged);
            if !piece.is_last() {
                return Ok(ControlFlow::Continue(()));
            }
            let judged = std::mem::take(&mut gathered);
            Ok(write(&mut output, piece.game, &judged)?)
        },
    );
    bar.finish_and_clear();
    done?;
    match source.broken() {
        0 => Ok(()),
        _ if output.is_closed() => Ok(()),
        broken => Err(AnnotateError::Broken {
            broken,
            of: source.games(),
        }),
    }
}

fn write(
    output: &mut Output,
    game: Arc<Numbered>,
    judged: &[Judgement],
) -> Result<ControlFlow<()>, OutputError> {
    // Nobody else holds it any more, now that all its pieces are back.
    let Numbered { number, mut record } = Arc::unwrap_or_clone(game);
    let report = notes::annotate(&mut record, judged);
    output.write(number, &record, judged, &report)
}
