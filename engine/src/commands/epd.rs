//! `castellan epd`: runs EPD test suites and counts the solved positions by theme.

mod goal;
mod result;
mod summary;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use movegen::Game;
use search::{Info, Observer, Searcher};

use super::search_args::{SearchArgs, SearchSetup};
use crate::CommandError;
use crate::input::positions::{InputLine, LineCount, Positions, Reading};
use crate::output::json::{versioned, warnings};
use crate::output::printer::Printer;
use crate::output::{progress, warn};
use game::parallel::ordered_map;

pub(crate) use goal::Goal;
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
    /// EPD files with one position per line; '-' is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    /// Reject a FEN with castling rights or an en passant square that its position cannot have
    #[arg(long)]
    strict: bool,
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

/// A position of a test suite.
struct Test {
    id: Option<String>,
    game: Game,
    warnings: Vec<String>,
    goal: Goal,
}

impl Test {
    fn parse(line: &InputLine, how: Reading) -> Result<Test, CommandError> {
        let (line, read) = line.parse_epd(how)?;
        let position = read.position;
        if !position.has_moves() {
            return Err("the position has no legal moves".into());
        }
        Ok(Test {
            id: line.id(),
            goal: Goal::parse(&line, &position)?
                .ok_or("no goal: expected bm, am, dm, or c0 with points")?,
            game: Game::new(position),
            warnings: warnings(&read.dropped),
        })
    }
}

pub(crate) fn run(args: &EpdArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let mut setup = args.search.setup()?;
    setup.reading.strict = args.strict;
    let mut positions = Positions::from_files(&args.files)?;
    let bar = progress::lines(|| positions.count_lines(), args.summary);
    let (mut count, mut summary) = (LineCount::default(), Summary::new(!args.no_time));
    let done: Result<(), CommandError> = ordered_map(
        setup.jobs,
        || Ok(positions.next_line()?),
        || Ok(setup.searcher()?),
        |searcher, line| {
            let result = test(searcher, &line, &setup, !args.no_time);
            LineResult::new(&line, result)
        },
        |line| {
            bar.set_position(line.line);
            count.add(line.line, line.result.is_some());
            summary.add(line.result.as_ref());
            if !args.json {
                let texts = line.result.iter().flat_map(|result| &result.warnings);
                let number = line.line;
                bar.suspend(|| texts.for_each(|text| warn(format_args!("line {number}: {text}"))));
            }
            match (args.summary, args.json) {
                (true, _) => Ok(ControlFlow::Continue(())),
                (false, true) => Ok(printer.text(&(versioned(&line)? + "\n"))),
                (false, false) => Ok(printer.text(&format!("{line}\n"))),
            }
        },
    );
    bar.finish_and_clear();
    done?;
    if printer.is_closed() {
        return Ok(());
    }
    let text = if args.json {
        versioned(&summary)? + "\n"
    } else {
        summary.table()
    };
    match printer.text(&text) {
        ControlFlow::Break(()) => Ok(()),
        ControlFlow::Continue(()) => Ok(count.check()?),
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
) -> Result<TestResult, CommandError> {
    let test = Test::parse(line, setup.reading)?;
    let mut progress = Recorder::default();
    let outcome = setup.search(searcher, &test.game, 1, &mut progress);
    let result = TestResult::new(test, &outcome, &progress.0);
    Ok(if time { result } else { result.without_time() })
}
