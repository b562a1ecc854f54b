//! `castellan tridim`: counts moves and analyzes positions of Tri-Dimensional chess.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

use common::plural;
use serde::Serialize;
use thiserror::Error;
use tridim::search::{Limits, MAX_DEPTH, SearchResult, Searcher};
use tridim::{CastlingKind, CastlingStatus, Game, Position, Rules, TextError, divide};

use crate::args::{nodes, seconds};
use crate::output::json::versioned;
use crate::output::score::UciScore;

/// The reason a command failed.
#[derive(Debug, Error)]
pub(crate) enum TridimError {
    #[error(transparent)]
    Position(#[from] TextError),
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a command on standard output, whose reader may have gone.
pub(crate) fn run(
    command: impl FnOnce(&mut io::Stdout) -> Result<(), TridimError>,
) -> Result<(), TridimError> {
    match command(&mut io::stdout()) {
        Err(TridimError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// A position and the rules that apply to it.
#[derive(Debug, clap::Args)]
struct PositionArgs {
    /// Position as one line of text [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Allow attack boards to rotate in place
    #[arg(long)]
    rotation: bool,
}

impl PositionArgs {
    fn position(&self) -> Result<Position, TextError> {
        let rules = Rules {
            rotation: self.rotation,
        };
        match self.position.as_slice() {
            [] => Ok(Position::start(rules)),
            words => Position::from_text(&words.join(" "), rules),
        }
    }
}

/// The limits of a search; one second by default.
#[derive(Debug, clap::Args)]
struct LimitArgs {
    /// Search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Number of nodes to search, such as 500000 or 1e6
    #[arg(long, value_name = "N", value_parser = nodes)]
    nodes: Option<u64>,
    /// Search time in seconds [default: 1 without other limits]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
}

impl LimitArgs {
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    /// Returns `None` when there is no legal move.
    fn search(&self, game: &Game) -> Option<SearchResult> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let time = self.time.or(unlimited.then_some(Self::DEFAULT_TIME));
        let limits = Limits {
            depth: self.depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes.unwrap_or(u64::MAX),
            // A time that no clock reaches is none.
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            is_stopped: &|| false,
        };
        Searcher::default().search(game, limits, |_| {})
    }
}

/// Find the best move of a position
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Analysis {
    position: String,
    /// check, checkmate, stalemate or none
    state: &'static str,
    legal: Vec<String>,
    castling: Vec<CastlingStatus>,
    bestmove: Option<String>,
    score: UciScore,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
    /// The line with check and mate marks, for people.
    #[serde(skip)]
    marked_line: String,
}

pub(crate) fn analyze(args: &AnalyzeArgs, output: &mut impl Write) -> Result<(), TridimError> {
    let position = args.position.position()?;
    let analysis = Analysis::new(&position, &args.limits);
    if args.json {
        writeln!(output, "{}", versioned(&analysis)?)?;
    } else {
        write!(output, "{analysis}")?;
    }
    Ok(())
}

impl Analysis {
    fn new(position: &Position, limits: &LimitArgs) -> Analysis {
        let found = limits.search(&Game::new(*position));
        let castling = CastlingKind::ALL.map(|kind| CastlingStatus::new(position, kind));
        let moves = found.as_ref().map_or(&[][..], |found| &found.line);
        let line = position.write_line(moves, Position::bare_notation);
        let marked_line = position.write_line(moves, Position::notation).join(" ");
        let moves = position.legal_moves().into_iter();
        Analysis {
            position: position.to_string(),
            state: match (position.in_check(), position.has_moves()) {
                (true, true) => "check",
                (true, false) => "checkmate",
                (false, false) => "stalemate",
                (false, true) => "none",
            },
            legal: moves.map(|mv| position.bare_notation(mv)).collect(),
            castling: castling.into(),
            bestmove: line.first().cloned(),
            score: match found.as_ref().map(|found| found.score) {
                Some(score) => score
                    .mate_in()
                    .map_or(UciScore::Cp(score.to_centipawns()), UciScore::Mate),
                None => UciScore::of_end(position.in_check()),
            },
            depth: found.as_ref().map_or(0, |found| found.depth),
            nodes: found.as_ref().map_or(0, |found| found.nodes),
            line,
            marked_line,
        }
    }
}

impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Position: {}", self.position)?;
        writeln!(f, "State: {}", self.state)?;
        let best = self.marked_line.split(' ').next().unwrap_or_default();
        writeln!(f, "Best: {}", if best.is_empty() { "-" } else { best })?;
        writeln!(f, "Score: {}", self.score)?;
        writeln!(f, "Depth: {}, {}", self.depth, plural(self.nodes, "node"))?;
        writeln!(f, "Line: {}", self.marked_line)?;
        for castling in &self.castling {
            match &castling.reason {
                Some(reason) => writeln!(f, "{reason}")?,
                None => writeln!(f, "castling {} is legal", castling.kind)?,
            }
        }
        Ok(())
    }
}

/// Count the leaf nodes of the move tree, per root move and in total
#[derive(Debug, clap::Args)]
pub(crate) struct PerftArgs {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=20))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
}

pub(crate) fn perft(args: &PerftArgs, output: &mut impl Write) -> Result<(), TridimError> {
    let position = args.position.position()?;
    if args.depth == 0 {
        return Ok(writeln!(output, "Leaves: 1")?);
    }
    let counts = divide(&position, args.depth);
    for &(mv, count) in &counts {
        writeln!(output, "{}: {count}", position.bare_notation(mv))?;
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    Ok(writeln!(output, "Leaves: {total}")?)
}
