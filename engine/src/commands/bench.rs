//! `castellan bench`: searches fixed positions to a fixed depth. The number of nodes is the
//! signature of the search's behavior.

use std::io;

use clap::value_parser;
use search::SearchControl;
use search::bench::{self, DEPTH};
use search::nnue::embedded;
use serde::Serialize;

use crate::CommandError;
use crate::output::json::versioned;
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

#[derive(Debug, Serialize)]
struct JsonBench {
    depth: u32,
    positions: Vec<JsonPosition>,
    nodes: u64,
    nps: u64,
}

#[derive(Debug, Serialize)]
struct JsonPosition {
    fen: &'static str,
    nodes: u64,
}

pub(crate) fn run(args: &BenchArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let depth = args.depth.unwrap_or(DEPTH);
    let mut positions = Vec::new();
    let total = bench::run(depth, embedded(), &SearchControl::new(), |searched| {
        if args.json {
            let (fen, nodes) = (searched.fen, searched.nodes);
            positions.push(JsonPosition { fen, nodes });
        } else {
            printer.line(format_args!("info string {searched}"));
        }
    })?;
    if args.json {
        printer.line(versioned(&JsonBench {
            depth,
            positions,
            nodes: total.nodes,
            nps: total.nodes_per_second(),
        })?);
    } else {
        printer.line(total);
    }
    Ok(())
}
