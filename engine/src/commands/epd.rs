//! `castellan epd`: solves the positions of a suite and counts, theme by theme.

mod goal;
mod result;
mod tally;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use movegen::{FenError, Game, Position, Variant};
use search::{Info, Observer, SearchError, Searcher};
use thiserror::Error;

use crate::commands::parallel::{JobsError, ordered_map};
use crate::commands::positions::{Input, Line, LineError, OpenError};
use crate::commands::search_args::{Means, MeansArgs};
use crate::eval_file::EvalFileError;
use crate::formats::epd::{EpdError, EpdLine};
use crate::output::printer::Printer;
use crate::output::progress;
use common::input::InputError;

use goal::{Goal, GoalError};
use result::{Outcome, Solved};
use tally::Tally;

/// Solves test suites in EPD
///
/// A position is solved when the search ends with one of the moves of 'bm', with none of 'am',
/// and with a mate in at most as many moves as 'dm' says; 'bm #N' is the same as 'dm N'. Points
/// are taken from 'c0' where it lists moves with points, as in 'c0 "Nf3=100, e4=60"'. A theme is
/// what stands in 'id' before its number.
#[derive(Debug, clap::Args)]
pub(crate) struct EpdArgs {
    /// A position a line; '-' is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    means: MeansArgs,
    /// Answers with one line of JSON a position, and one at the end
    #[arg(long)]
    json: bool,
    /// Says only the sums
    #[arg(long)]
    summary: bool,
    /// Leaves out how long it took, so that the same work gives the same text
    #[arg(long)]
    no_time: bool,
}

/// Why a suite was not solved to its end.
#[derive(Debug, Error)]
pub(crate) enum EpdJobError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Read(#[from] InputError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Jobs(#[from] JobsError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("{bad} of {of} positions could not be tried, the first in line {first}")]
    BadLines { bad: u64, of: u64, first: u64 },
}

/// Why a position cannot be tried.
#[derive(Debug, Error)]
enum TrialError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    Epd(#[from] EpdError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Goal(#[from] GoalError),
    #[error("there is no legal move")]
    NoMove,
}

/// A position and what is to be found in it.
struct Task {
    id: Option<String>,
    game: Game,
    goal: Goal,
}

/// Solves everything, or until nobody reads of it.
pub(crate) fn run(args: &EpdArgs, printer: &Printer<io::Stdout>) -> Result<(), EpdJobError> {
    let means = args.means.means()?;
    let mut tally = Tally::default();
    solve(args, &means, &mut tally, printer)?;
    if printer.is_closed() {
        return Ok(());
    }
    if args.no_time {
        tally.forget_time();
    }
    if args.json {
        printer.line(serde_json::to_string(&tally)?);
    } else {
        printer.lines(tally.table());
    }
    tally.complaint().map_or(Ok(()), Err)
}

fn solve(
    args: &EpdArgs,
    means: &Means,
    tally: &mut Tally,
    printer: &Printer<io::Stdout>,
) -> Result<(), EpdJobError> {
    let mut input = Input::open(&[], Some(&args.file))?;
    let bar = progress::bar(&[], Some(&args.file), args.summary);
    let done = ordered_map(
        means.jobs,
        || Ok(input.next_line()?),
        || Ok(means.searcher()?),
        |searcher, line| attempt(searcher, &line, means),
        |outcome| {
            bar.set_position(outcome.line);
            tally.add(&outcome);
            if !args.summary {
                printer.line(outcome.text(args.json, !args.no_time)?);
            }
            Ok(match printer.is_closed() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    );
    bar.finish_and_clear();
    done
}

/// What came of one line; what is wrong with it is an outcome too.
fn attempt(searcher: &mut Searcher, line: &Line, means: &Means) -> Outcome {
    match try_to_solve(searcher, line, means) {
        Ok(solved) => Outcome::new(line.number, solved),
        Err(error) => Outcome::failed(line.number, &error),
    }
}

/// Keeps what a search reports.
#[derive(Default)]
struct Recorder(Vec<Info>);

impl Observer for Recorder {
    fn info(&mut self, info: &Info) {
        self.0.push(info.clone());
    }
}

fn try_to_solve(searcher: &mut Searcher, line: &Line, means: &Means) -> Result<Solved, TrialError> {
    let task = read(line, means.variant)?;
    let mut recorder = Recorder::default();
    let outcome = means.search(searcher, &task.game, 1, &mut recorder);
    Ok(Solved::new(task, &outcome, &recorder.0, means.variant))
}

fn read(line: &Line, variant: Variant) -> Result<Task, TrialError> {
    let line = EpdLine::read(line.text()?)?;
    let position = Position::from_fen(&line.fen, variant)?;
    if !position.has_moves() {
        return Err(TrialError::NoMove);
    }
    Ok(Task {
        id: line.operand("id").map(str::to_owned),
        goal: Goal::read(&line, &position)?,
        game: Game::new(position),
    })
}
