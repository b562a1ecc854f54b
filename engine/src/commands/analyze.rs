//! `castellan analyze`: position after position in, what a search finds of each out, in the
//! same order. A line that cannot be read costs no other.

mod answer;
mod output;
mod resume;

use std::io;
use std::path::PathBuf;

use search::{SearchError, Searcher};
use thiserror::Error;

use crate::commands::parallel::{JobsError, ordered_map};
use crate::commands::positions::{Input, Line, OpenError};
use crate::commands::search_args::{Means, MeansArgs};
use crate::eval_file::EvalFileError;
use crate::output::progress;
use common::input::InputError;

use answer::{Answer, Style};
use output::Output;
use resume::{ResumeError, Resumed};

/// Analyses positions: FENs, lines of EPD, or 'startpos', with 'moves ...' behind it if wanted
///
/// Each position is searched by itself, with nothing remembered of the others: what is found
/// does not depend on how many are searched at once. Blank lines and lines that begin with '#'
/// are passed over.
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    /// Positions, each in quotation marks; without any, and without --file, lines are read from
    /// standard input
    #[arg(value_name = "FEN")]
    positions: Vec<String>,
    /// Reads a position a line from a file; '-' is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "positions")]
    file: Option<PathBuf>,
    #[command(flatten)]
    means: MeansArgs,
    /// How many of the best moves are looked into
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Answers with one line of JSON a position
    #[arg(long)]
    json: bool,
    /// Leaves out how long it took, so that the same work gives the same text
    #[arg(long)]
    no_time: bool,
    /// Writes the answers to a new file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Goes on where the file of --out ends, after an interruption
    #[arg(long, requires_all = ["out", "json"])]
    resume: bool,
}

/// Why positions were not analysed.
#[derive(Debug, Error)]
pub(crate) enum AnalyzeError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Read(#[from] InputError),
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("'{}' is there already; --resume goes on with it, another name leaves it", path.display())]
    Exists { path: PathBuf },
    #[error("cannot write the answers: {0}")]
    Standard(io::Error),
    #[error(transparent)]
    Resume(#[from] ResumeError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Jobs(#[from] JobsError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("{} of {of} could not be analysed, the first in line {first}", lines(*.bad))]
    BadLines { bad: u64, of: u64, first: u64 },
}

fn lines(count: u64) -> String {
    match count {
        1 => "1 line".to_owned(),
        _ => format!("{count} lines"),
    }
}

/// Analyses everything, or until nobody reads the answers.
pub(crate) fn run(args: &AnalyzeArgs) -> Result<(), AnalyzeError> {
    let means = args.means.means()?;
    let style = Style {
        json: args.json,
        time: !args.no_time,
    };
    let mut input = Input::open(&args.positions, args.file.as_deref())?;
    let resumed = match &args.out {
        Some(path) if args.resume => Resumed::from(path)?,
        _ => Resumed::default(),
    };
    resumed.pass_over(&mut input, means.variant)?;
    let mut output = Output::open(args.out.as_deref(), &resumed)?;
    let bar = progress::bar(&args.positions, args.file.as_deref(), args.out.is_some());
    let mut tally = Tally {
        answered: resumed.answered,
        bad: resumed.bad,
        first_bad: resumed.first_bad,
    };
    let done: Result<(), AnalyzeError> = ordered_map(
        means.jobs,
        || Ok(input.next_line()?),
        || Ok(means.searcher()?),
        |searcher, line| answer(searcher, &line, &means, args.multipv),
        |answer: Answer| {
            tally.note(&answer);
            bar.set_position(answer.line);
            output.write(answer, style)
        },
    );
    bar.finish_and_clear();
    done?;
    match tally.first_bad {
        Some(first) if !output.is_closed() => Err(AnalyzeError::BadLines {
            bad: tally.bad,
            of: tally.answered,
            first,
        }),
        _ => Ok(()),
    }
}

struct Tally {
    answered: u64,
    bad: u64,
    first_bad: Option<u64>,
}

impl Tally {
    fn note(&mut self, answer: &Answer) {
        self.answered += 1;
        if answer.is_error() {
            self.bad += 1;
            self.first_bad.get_or_insert(answer.line);
        }
    }
}

/// What is found of one line; what is wrong with it is an answer too.
fn answer(searcher: &mut Searcher, line: &Line, means: &Means, multi_pv: u16) -> Answer {
    let record = match line.read(means.variant) {
        Ok(record) => record,
        Err(error) => return Answer::refused(line.number, error),
    };
    if !record.game.position().has_moves() {
        return Answer::at_the_end(line.number, &record, means.variant);
    }
    let lines = multi_pv.into();
    let outcome = means.search(searcher, &record.game, lines, &mut ());
    Answer::found(line.number, &record, &outcome, lines, means.variant)
}
