//! `castellan epd`: runs EPD test suites and counts the solved positions by theme.

mod goal;
mod result;
mod summary;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use movegen::{FenError, Game, Position, Variant};
use search::{Info, Observer, SearchError, Searcher};
use thiserror::Error;

use super::parallel::{JobsError, ordered_map};
use super::positions::{InputLine, LineError, OpenError, Positions};
use super::search_args::{SearchArgs, SearchSetup};
use crate::eval_file::EvalFileError;
use crate::formats::epd::{EpdError, EpdLine};
use crate::output::printer::Printer;
use crate::output::progress;
use common::input::InputError;

use goal::{Goal, GoalError};
use result::{LineResult, TestResult};
use summary::Summary;

/// Run an EPD test suite
///
/// A position is solved when the search chooses one of the moves of 'bm', none of 'am', and
/// finds a mate in at most the number of moves of 'dm'; 'bm #N' is the same as 'dm N'. Points
/// come from 'c0' if it lists moves with points, as in 'c0 "Nf3=100, e4=60"'. The theme is the
/// text of 'id' in front of its number.
#[derive(Debug, clap::Args)]
pub(crate) struct EpdArgs {
    /// EPD file with one position per line; '-' is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Print only the summary
    #[arg(long)]
    summary: bool,
    /// Omit times, so that the output is reproducible
    #[arg(long)]
    no_time: bool,
}

#[derive(Debug, Error)]
pub(crate) enum EpdCommandError {
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
    #[error("{bad} of {total} positions are invalid, the first in line {first}")]
    BadLines { bad: u64, total: u64, first: u64 },
}

/// Why a position cannot be tested.
#[derive(Debug, Error)]
enum TestError {
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    Epd(#[from] EpdError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Goal(#[from] GoalError),
    #[error("the position has no legal moves")]
    NoMoves,
}

/// A position of a test suite.
struct Test {
    id: Option<String>,
    game: Game,
    goal: Goal,
}

impl Test {
    fn parse(line: &InputLine, variant: Variant) -> Result<Test, TestError> {
        let line = EpdLine::parse(line.text()?)?;
        let position = Position::from_fen(&line.fen, variant)?;
        if !position.has_moves() {
            return Err(TestError::NoMoves);
        }
        Ok(Test {
            id: line.operand("id").map(str::to_owned),
            goal: Goal::parse(&line, &position)?,
            game: Game::new(position),
        })
    }
}

pub(crate) fn run(args: &EpdArgs, printer: &Printer<io::Stdout>) -> Result<(), EpdCommandError> {
    let setup = args.search.setup()?;
    let mut positions = Positions::open(&[], Some(&args.file))?;
    let bar = progress::lines(&[], Some(&args.file), args.summary);
    let mut summary = Summary::new(!args.no_time);
    let done: Result<(), EpdCommandError> = ordered_map(
        setup.jobs,
        || Ok(positions.next_line()?),
        || Ok(setup.searcher()?),
        |searcher, line| {
            let result = test(searcher, &line, &setup, !args.no_time);
            LineResult::new(line.number, result)
        },
        |result| {
            bar.set_position(result.line);
            summary.add(&result);
            if !args.summary {
                match args.json {
                    true => printer.line(serde_json::to_string(&result)?),
                    false => printer.line(&result),
                }
            }
            Ok(match printer.is_closed() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    );
    bar.finish_and_clear();
    done?;
    if printer.is_closed() {
        return Ok(());
    }
    match args.json {
        true => printer.line(serde_json::to_string(&summary)?),
        false => printer.lines(summary.table()),
    }
    match summary.first_error() {
        None => Ok(()),
        Some(first) => Err(EpdCommandError::BadLines {
            bad: summary.errors(),
            total: summary.lines(),
            first,
        }),
    }
}

/// Records the progress of a search.
#[derive(Default)]
struct Recorder(Vec<Info>);

impl Observer for Recorder {
    fn info(&mut self, info: &Info) {
        self.0.push(info.clone());
    }
}

fn test(
    searcher: &mut Searcher,
    line: &InputLine,
    setup: &SearchSetup,
    time: bool,
) -> Result<TestResult, TestError> {
    let test = Test::parse(line, setup.variant)?;
    let mut progress = Recorder::default();
    let outcome = setup.search(searcher, &test.game, 1, &mut progress);
    let result = TestResult::new(test, &outcome, &progress.0, setup.variant);
    Ok(if time { result } else { result.without_time() })
}
