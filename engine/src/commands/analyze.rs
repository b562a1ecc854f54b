//! `castellan analyze`: searches positions and prints the results in the order of the input. A
//! line that cannot be read gets an error as its result and does not affect the others.

mod resume;

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};

use crate::args::at_least;
use common::excerpt;
use common::files::FileError;
use search::Searcher;
use serde::Serialize;
use thiserror::Error;

use super::CommandError;
use super::positions::{InputLine, Positions};
use super::search_args::{SearchArgs, SearchSetup};
use crate::output::json::{JsonBound, JsonLine};
use crate::output::progress;
use crate::output::results::{ResultWriter, WriteError};
use game::notation;
use game::parallel::ordered_map;

use resume::Previous;

/// Analyze positions: FENs, EPD lines, or 'startpos', optionally followed by 'moves ...'
///
/// A position may be given with or without quotation marks, its moves in UCI notation or in SAN.
/// Each position is searched independently of the others, so the results do not depend on the
/// number of jobs. Blank lines and lines that begin with '#' are skipped.
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    /// Positions, and files with one position per line; '-', or none, is standard input
    #[arg(value_name = "POSITION|FILE")]
    positions: Vec<String>,
    /// Read one position per line from FILE; '-' is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "positions")]
    file: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    /// Analyze the N best moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least::<u16, 1>)]
    multipv: u16,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Omit times, so that the output is reproducible
    #[arg(long)]
    no_time: bool,
    /// Write the results to FILE, which must not exist
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue an interrupted run whose results are in the file of --out
    #[arg(long, requires_all = ["out", "json"])]
    resume: bool,
}

#[derive(Debug, Error)]
#[error("'{}' already exists; not overwritten (use --resume to continue it)", path.display())]
struct ExistsError {
    path: PathBuf,
}

pub(crate) fn run(args: &AnalyzeArgs) -> Result<(), CommandError> {
    let setup = args.search.setup()?;
    let mut positions = match &args.file {
        Some(path) => Positions::from_file(path)?,
        None => Positions::from_arguments(&args.positions)?,
    };
    let bar = progress::lines(|| positions.count_lines(), args.out.is_some());
    let previous = match &args.out {
        Some(path) if args.resume => Previous::read(path)?,
        _ => Previous::default(),
    };
    previous.skip(&mut positions, setup.variant)?;
    let mut output = open_output(args.out.as_deref(), previous.bytes)?;
    let mut count = previous.count;
    let done: Result<(), CommandError> = ordered_map(
        setup.jobs,
        || Ok(positions.next_line()?),
        || Ok(setup.searcher()?),
        |searcher, line| analyze(searcher, &line, &setup, args.multipv.into()),
        |mut analysis: Analysis| {
            count.add(analysis.line, analysis.error.is_none());
            bar.set_position(analysis.line);
            if args.no_time {
                analysis.time = None;
            }
            let text = match args.json {
                true => serde_json::to_string(&analysis)?,
                false => analysis.text(),
            };
            Ok(output.write(&format!("{text}\n"))?)
        },
    );
    bar.finish_and_clear();
    done?;
    match output.is_closed() {
        true => Ok(()),
        false => Ok(count.check()?),
    }
}

/// Opens a new file, or with `resumed` one whose first bytes are kept.
fn open_output(path: Option<&Path>, resumed: Option<u64>) -> Result<ResultWriter, CommandError> {
    if let (Some(path), Some(bytes)) = (path, resumed) {
        return Ok(ResultWriter::append(path, bytes)?);
    }
    ResultWriter::create(path).map_err(|error| match error {
        WriteError::File(FileError::Exists { path }) => ExistsError { path }.into(),
        error => error.into(),
    })
}

fn analyze(
    searcher: &mut Searcher,
    line: &InputLine,
    setup: &SearchSetup,
    multi_pv: usize,
) -> Analysis {
    let record = match line.parse(setup.variant) {
        Ok(record) => record,
        Err(error) => return Analysis::error(line.number, error),
    };
    let position = record.game.position();
    let outcome = setup.search(searcher, &record.game, multi_pv, &mut ());
    let infos = outcome.lines.iter();
    let lines: Vec<JsonLine> = infos
        .map(|info| JsonLine::new(info, position, setup.variant))
        .collect();
    let best = lines.first().cloned();
    let best_move = outcome.best_move.map(|mv| mv.uci(setup.variant));
    Analysis {
        line: line.number,
        id: record.id,
        fen: Some(notation::fen(position, setup.variant)),
        bestmove: best_move.map(|mv| mv.to_string()),
        best: best.or_else(|| Some(JsonLine::game_over(position))),
        nodes: Some(outcome.nodes),
        time: Some(outcome.time.as_millis()),
        lines: (multi_pv > 1 && !lines.is_empty()).then_some(lines),
        error: None,
    }
}

/// The result for one line of the input, in JSON.
#[derive(Debug, Default, Serialize)]
struct Analysis {
    line: u64,
    id: Option<String>,
    fen: Option<String>,
    bestmove: Option<String>,
    #[serde(flatten)]
    best: Option<JsonLine>,
    nodes: Option<u64>,
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u128>,
    /// All lines, with --multipv.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<JsonLine>>,
    error: Option<String>,
}

impl Analysis {
    fn error(line: u64, error: impl Display) -> Analysis {
        Analysis {
            line,
            error: Some(error.to_string()),
            ..Analysis::default()
        }
    }

    /// The result as text: one line per principal variation.
    fn text(&self) -> String {
        let head = match &self.id {
            Some(id) => format!("{} {}:", self.line, excerpt(id)),
            None => format!("{}:", self.line),
        };
        if let Some(error) = &self.error {
            return format!("{head} error {}", escape_controls(error));
        }
        let lines = match &self.lines {
            Some(lines) => lines.as_slice(),
            None => self.best.as_slice(),
        };
        let lines = lines.iter().map(|line| self.line_text(&head, line));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn line_text(&self, head: &str, line: &JsonLine) -> String {
        let [win, draw, loss] = line.wdl;
        let (score, depth) = (line.score, line.depth);
        let bound = line.bound.map_or("", JsonBound::uci);
        let mut text = format!("{head} {score}{bound} wdl {win} {draw} {loss} depth {depth}");
        // Writing to a string cannot fail.
        if let Some(nodes) = self.nodes {
            let _ = write!(text, " nodes {nodes}");
        }
        if let Some(time) = self.time {
            let _ = write!(text, " time {time}");
        }
        text.push_str(" pv");
        for mv in &line.san {
            let _ = write!(text, " {mv}");
        }
        text
    }
}

/// Escapes control characters; an error may quote untrusted text.
fn escape_controls(text: &str) -> String {
    let escaped = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escaped).collect()
}
