//! `castellan perft`: counts the leaves of the tree of legal moves.

use std::io;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use clap::value_parser;
use serde::Serialize;

use super::position_args::PositionArgs;
use crate::CommandError;
use crate::output::json::{versioned, warnings};
use crate::output::printer::Printer;
use formats::notation;
use formats::uci_position::UciPosition;
use service::perft;

/// Count the leaf nodes of the move tree, per root move and in total
#[derive(Debug, clap::Args)]
pub(crate) struct PerftArgs {
    /// Depth in plies
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Number of threads [default: number of CPUs]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &PerftArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let UciPosition { game, dropped, .. } = args.position.parse()?;
    let (position, variant) = (game.position(), game.position().variant());
    let cpus = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(cpus, usize::from);
    let started = Instant::now();
    let perft = perft::count(position, args.depth, threads, &AtomicBool::new(false))?;
    let time = started.elapsed();
    if !args.json {
        printer.lines(perft.lines(variant));
        return Ok(());
    }
    let moves = perft.moves.iter().map(|(mv, nodes)| JsonMove {
        uci: mv.uci(variant).to_string(),
        san: position.san(*mv),
        nodes: *nodes,
    });
    printer.line(versioned(&JsonPerft {
        fen: notation::fen(position, variant),
        depth: args.depth,
        warnings: warnings(&dropped),
        moves: moves.collect(),
        nodes: perft.nodes,
        time: time.as_millis(),
    })?);
    Ok(())
}

#[derive(Debug, Serialize)]
struct JsonPerft {
    fen: String,
    depth: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    moves: Vec<JsonMove>,
    nodes: u64,
    /// In milliseconds.
    time: u128,
}

#[derive(Debug, Serialize)]
struct JsonMove {
    uci: String,
    san: String,
    nodes: u64,
}
