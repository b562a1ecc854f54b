//! `castellan analyze`: searches positions and prints the results in the order of the input. A
//! line that cannot be read gets an error as its result and does not affect the others.

use std::fmt::{Display, Write as _};
use std::io;

use anyhow::Result;
use clap::value_parser;
use common::{escape_controls, excerpt};
use search::Searcher;
use serde::{Deserialize, Serialize};

use super::checkpoint::{Entry, OutArgs, PreviousRun};
use super::search_args::{SearchArgs, SearchSetup};
use crate::input::positions::{InputLine, LineCount, Positions};
use crate::output::json::{JsonLine, versioned};
use crate::output::printer::Printer;
use crate::output::score::{UciBound, UciScore};
use crate::output::{progress, warn};
use formats::epd::EpdLine;
use formats::notation;
use game::parallel::ordered_map;

/// Analyze positions: FENs, EPD lines, or 'startpos', optionally followed by 'moves ...'
///
/// A FEN is one argument, in quotation marks; its moves are in UCI notation or in SAN.
/// Each position is searched independently of the others, so the results do not depend on the
/// number of jobs. Blank lines and lines that begin with '#' are skipped. With --json, results of
/// EPD lines with bm, am or dm say if they are solved, and a summary follows on standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    /// Positions, or files with one position per line; reads standard input if omitted or '-'
    #[arg(value_name = "POSITION|FILE")]
    positions: Vec<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Analyze the N best moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    multipv: u16,
    /// Reject a FEN with castling rights or an en passant square that its position cannot have
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Omit times, so that the output is reproducible
    #[arg(long)]
    no_time: bool,
    #[command(flatten)]
    out: OutArgs,
}

pub(crate) fn run(args: &AnalyzeArgs, printer: &Printer<io::Stdout>) -> Result<()> {
    let mut setup = args.search.setup()?;
    setup.reading.strict = args.strict;
    let mut positions = Positions::from_arguments(&args.positions)?;
    positions.part = setup.part(|| positions.count_lines())?;
    let bar = progress::bar(
        || positions.count_lines(),
        args.out.out.is_some(),
        ["line {pos} of {len}", "line {pos}"],
    );
    let mut previous = PreviousRun::read(&args.out, args.settings(&setup))?;
    let mut count = LineCount::default();
    let mut solved = SolvedCount::default();
    while let Some(result) = previous.next_result()? {
        let line = positions.next_line()?;
        let input = line.as_ref().map(|line| (line.number, line.input()));
        result.check("line", input)?;
        if args.json {
            solved.add(&serde_json::from_str(&result.text)?);
        }
        if let Some(line) = line {
            count.add(line.number, line.parse(setup.reading).is_ok());
        }
    }
    let mut output = previous.open_output(printer)?;
    let done: Result<()> = ordered_map(
        setup.jobs,
        || Ok(positions.next_line()?),
        || Ok(setup.searcher()?),
        |searcher, line| {
            let analysis = analyze(searcher, &line, &setup, args.multipv.into());
            (line, analysis)
        },
        |(line, mut analysis): (InputLine, Analysis)| {
            count.add(line.number, analysis.error.is_none());
            bar.set_position(line.number);
            if args.no_time {
                analysis.time = None;
            }
            if !args.json {
                let number = line.number;
                let texts = analysis.warnings.iter();
                bar.suspend(|| texts.for_each(|text| warn(format_args!("line {number}: {text}"))));
            }
            solved.add(&analysis.verdict);
            let text = if args.json {
                versioned(&analysis)? + "\n"
            } else {
                analysis.text() + "\n"
            };
            output.write(&Entry::new(line.number, &line.input(), text))
        },
    );
    bar.finish_and_clear();
    done?;
    if output.finish()?.is_break() {
        return Ok(());
    }
    if args.json && solved.total > 0 {
        warn(format_args!("solved {} of {}", solved.solved, solved.total));
    }
    count.check()
}

impl AnalyzeArgs {
    /// The settings that the results depend on besides the input.
    fn settings(&self, setup: &SearchSetup) -> Vec<String> {
        let mut settings = setup.settings();
        settings.push(format!("--multipv {}", self.multipv));
        let flags = [
            ("--strict", self.strict),
            ("--json", self.json),
            ("--no-time", self.no_time),
        ];
        let given = flags.iter().filter(|(_, is_given)| *is_given);
        settings.extend(given.map(|(flag, _)| (*flag).to_owned()));
        settings
    }
}

fn analyze(
    searcher: &mut Searcher,
    line: &InputLine,
    setup: &SearchSetup,
    multi_pv: usize,
) -> Analysis {
    let mut record = match line.parse(setup.reading) {
        Ok(record) => record,
        Err(error) => return Analysis::error(line.number, error),
    };
    if let Some(outcome) = search::drawn_game(&record.position.game) {
        record.warnings.push(format!("the game is over: {outcome}"));
    }
    let position = record.position.game.position();
    let outcome = setup.search(searcher, &record.position.game, multi_pv);
    let infos = outcome.lines.iter();
    let lines: Vec<JsonLine> = infos.map(|info| JsonLine::new(info, position)).collect();
    let best = lines.first().cloned();
    let best_move = outcome.best_move.map(|mv| mv.uci(position.variant()));
    let score = best.as_ref().map(|line| line.score);
    let judged = record.epd.as_ref().map_or(Ok(None), |epd| {
        let mate = match score {
            Some(UciScore::Mate(moves)) => Some(moves),
            _ => None,
        };
        epd.solved(position, outcome.best_move, mate)
    });
    let solved = judged.unwrap_or_else(|fault| {
        record.warnings.push(fault);
        None
    });
    Analysis {
        line: line.number,
        id: record.epd.as_ref().and_then(EpdLine::id),
        fen: Some(notation::fen(position, position.variant())),
        bestmove: best_move.map(|mv| mv.to_string()),
        verdict: Verdict { solved },
        best: best.or_else(|| Some(JsonLine::game_over(position))),
        nodes: Some(outcome.nodes),
        time: Some(outcome.time.as_millis()),
        lines: (multi_pv > 1 && !lines.is_empty()).then_some(lines),
        warnings: record.warnings,
        error: None,
    }
}

/// The key `solved`, which the results of an interrupted run have too.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Verdict {
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<bool>,
}

/// The numbers of positions with `bm`, `am` or `dm`, and of those that are solved.
#[derive(Debug, Clone, Copy, Default)]
struct SolvedCount {
    total: u64,
    solved: u64,
}

impl SolvedCount {
    fn add(&mut self, verdict: &Verdict) {
        self.total += u64::from(verdict.solved.is_some());
        self.solved += u64::from(verdict.solved == Some(true));
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
    verdict: Verdict,
    #[serde(flatten)]
    best: Option<JsonLine>,
    nodes: Option<u64>,
    /// In milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u128>,
    /// All lines, with --multipv.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<JsonLine>>,
    /// The parts dropped from the FEN, and how the game has ended although there are legal moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    error: Option<String>,
}

impl Analysis {
    fn error(line: u64, error: impl Display) -> Self {
        Self {
            line,
            error: Some(error.to_string()),
            ..Self::default()
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
        let bound = line.bound.map_or("", UciBound::text);
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
