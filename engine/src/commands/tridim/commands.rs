//! The commands that print and exit: `analyze` and `perft`.

use std::fmt;
use std::io::Write;

use common::plural;
use serde::Serialize;

use search::SearchControl;

use super::TridimError;
use crate::args::tridim::{LimitArgs, PositionArgs};
use crate::output::json::versioned;
use crate::output::score::UciScore;
use tridim::search::Searcher;
use tridim::{CastlingKind, CastlingStatus, Game, Position, divide};

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
        let game = Game::new(*position);
        let found = limits.search(
            &mut Searcher::default(),
            &game,
            &SearchControl::new(),
            |_| {},
        );
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
