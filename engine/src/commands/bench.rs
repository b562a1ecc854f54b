//! `castellan bench` and UCI's `bench`: searches fixed positions to a fixed depth. The number of
//! nodes is the signature of the search's behavior.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use clap::value_parser;
use movegen::{FenError, Game, Position, Variant};
use search::bench::{DEPTH, HASH_MEGABYTES, POSITIONS};
use search::nnue::{Network, embedded};
use search::{Limits, SearchControl, SearchError, SearchOptions, Searcher};
use serde::Serialize;
use thiserror::Error;

use super::CommandError;
use crate::output::printer::Printer;

/// Run the benchmark
///
/// Prints the number of nodes, which identifies the behavior of the search, and nodes per second.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// Search depth in plies [default: 12]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Error)]
pub(crate) enum BenchError {
    #[error("invalid benchmark position {number}: {source}")]
    Position { number: usize, source: FenError },
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the benchmark was stopped")]
    Stopped,
}

#[derive(Debug, Serialize)]
struct JsonBench {
    depth: u32,
    positions: Vec<BenchLine>,
    #[serde(flatten)]
    total: BenchLine,
}

/// A line of the output.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum BenchLine {
    Position {
        #[serde(skip)]
        number: usize,
        fen: &'static str,
        nodes: u64,
    },
    /// The last.
    Total { nodes: u64, nps: u64 },
}

impl fmt::Display for BenchLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchLine::Position { number, fen, nodes } => {
                let count = POSITIONS.len();
                write!(
                    out,
                    "info string bench {number}/{count}: {nodes} nodes, {fen}"
                )
            }
            BenchLine::Total { nodes, nps } => write!(out, "{nodes} nodes\n{nps} nps"),
        }
    }
}

pub(crate) fn run(args: &BenchArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let mut positions = Vec::new();
    let network = Arc::clone(embedded());
    bench(
        args.depth,
        network,
        &SearchControl::new(),
        |line| match args.json {
            true => positions.push(line),
            false => printer.line(line),
        },
    )?;
    if let Some(total) = positions.pop() {
        printer.line(serde_json::to_string(&JsonBench {
            depth: args.depth.unwrap_or(DEPTH),
            positions,
            total,
        })?);
    }
    Ok(())
}

/// Searches each position with one thread and an empty hash table.
pub(crate) fn bench(
    depth: Option<u32>,
    network: Arc<Network>,
    stop: &SearchControl,
    mut output: impl FnMut(BenchLine),
) -> Result<(), BenchError> {
    let mut searcher = Searcher::new(HASH_MEGABYTES)?;
    searcher.set_network(network);
    let limits = Limits::depth(depth.unwrap_or(DEPTH));
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (fen, number) in POSITIONS.iter().zip(1..) {
        let position = Position::from_fen(fen, Variant::Chess960)
            .map_err(|source| BenchError::Position { number, source })?;
        searcher.new_game();
        // Also the start of the time.
        let options = SearchOptions::new(limits.clone());
        let outcome = searcher.search(&Game::new(position), &options, stop, &mut ());
        if stop.is_stopped() {
            return Err(BenchError::Stopped);
        }
        nodes += outcome.nodes;
        time += outcome.time;
        output(BenchLine::Position {
            number,
            fen,
            nodes: outcome.nodes,
        });
    }
    let nps = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    output(BenchLine::Total {
        nodes,
        nps: u64::try_from(nps).unwrap_or(u64::MAX),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use movegen::{Position, Variant};
    use search::bench::POSITIONS;

    #[test]
    fn positions_are_legal_and_unique_and_have_moves() {
        let mut seen = HashSet::new();
        for fen in POSITIONS {
            let position = Position::from_fen(fen, Variant::Chess960).expect(fen);
            assert!(position.has_moves(), "{fen}");
            assert!(seen.insert(position.key()), "{fen} occurs twice");
        }
    }
}
