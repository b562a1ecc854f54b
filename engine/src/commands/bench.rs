//! The bench: a fixed piece of work whose node count is the signature of how the search behaves.
//!
//! Every position is searched to the same depth, alone on one thread, by an engine that has
//! forgotten the one before.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use movegen::{FenError, Game, Position, Variant};
use search::bench::{self, POSITIONS};
use search::nnue::{Network, embedded};
use search::{Limits, SearchError, SearchOptions, Searcher, Stop};
use serde::Serialize;
use thiserror::Error;

use crate::output::printer::Printer;

/// Does a fixed piece of work; ends with its nodes and nodes a second
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// How deep each position is searched
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Answers with one line of JSON
    #[arg(long)]
    json: bool,
}

/// The job of the shell.
pub(crate) fn job(args: &BenchArgs, printer: &Printer<io::Stdout>) -> Result<(), BenchError> {
    let mut steps = Vec::new();
    run(
        args.depth,
        Arc::clone(embedded()),
        &Stop::new(),
        |step| match args.json {
            true => steps.push(step),
            false => printer.line(step),
        },
    )?;
    if let Some(end) = steps.pop() {
        let told = Told {
            depth: args.depth.unwrap_or(bench::DEPTH),
            positions: steps,
            end,
        };
        printer.line(serde_json::to_string(&told)?);
    }
    Ok(())
}

/// A whole bench in JSON.
#[derive(Debug, Serialize)]
struct Told {
    depth: u32,
    positions: Vec<Step>,
    #[serde(flatten)]
    end: Step,
}

/// Why there is no number.
#[derive(Debug, Error)]
pub(crate) enum BenchError {
    #[error("position {number} of the bench cannot be read: {source}")]
    Position { number: usize, source: FenError },
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the bench was stopped before its end")]
    Stopped,
}

/// What a bench says on its way.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Step {
    Position {
        #[serde(skip)]
        number: usize,
        fen: &'static str,
        nodes: u64,
    },
    /// The last.
    End {
        nodes: u64,
        /// Nodes a second.
        nps: u64,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Position { number, fen, nodes } => {
                let count = POSITIONS.len();
                write!(
                    out,
                    "info string bench {number}/{count}: {nodes} nodes, {fen}"
                )
            }
            Step::End { nodes, nps } => write!(out, "{nodes} nodes\n{nps} nps"),
        }
    }
}

/// Does the work and says how it goes.
pub(crate) fn run(
    depth: Option<u32>,
    network: Arc<Network>,
    stop: &Stop,
    mut say: impl FnMut(Step),
) -> Result<(), BenchError> {
    let depth = depth.unwrap_or(bench::DEPTH);
    let mut searcher = Searcher::new(bench::HASH_MEGABYTES)?;
    searcher.set_network(network);
    let mut searching = Duration::ZERO;
    let mut nodes = 0;
    for (fen, number) in POSITIONS.iter().zip(1..) {
        let position = Position::from_fen(fen, Variant::Chess960)
            .map_err(|source| BenchError::Position { number, source })?;
        searcher.new_game();
        let options = SearchOptions::new(Limits::depth(depth));
        let outcome = searcher.search(&Game::new(position), &options, stop, &mut ());
        let here = outcome.nodes;
        searching += outcome.time;
        if stop.is_stopped() {
            return Err(BenchError::Stopped);
        }
        nodes += here;
        say(Step::Position {
            number,
            fen,
            nodes: here,
        });
    }
    let nanoseconds = searching.as_nanos().max(1);
    let rate = u128::from(nodes) * 1_000_000_000 / nanoseconds;
    say(Step::End {
        nodes,
        nps: u64::try_from(rate).unwrap_or(u64::MAX),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use movegen::{Position, Variant};

    use search::bench::POSITIONS;

    #[test]
    fn every_position_is_legal_has_moves_and_stands_there_once() {
        let mut seen = HashSet::new();
        for fen in POSITIONS {
            let position = Position::from_fen(fen, Variant::Chess960).expect(fen);
            assert!(position.has_moves(), "{fen}");
            assert!(seen.insert(position.key()), "{fen} is there twice");
        }
    }
}
