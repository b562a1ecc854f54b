//! `castellan perft`: counts the leaves of the tree of legal moves.

use std::io;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use clap::value_parser;
use movegen::Position;
use serde::Serialize;

use super::position_args::PositionArgs;
use crate::CommandError;
use crate::output::json::{versioned, warnings};
use crate::output::printer::Printer;
use crate::output::warn;
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

/// From here on, a count takes so long that its size is announced.
const ANNOUNCED_LEAVES: f64 = 1e11;

/// An estimate of the leaves: from this depth on, each ply multiplies them as the last one did.
fn estimate(position: &Position, depth: u32) -> f64 {
    const KNOWN: u32 = 4;
    let count = |depth| {
        let moves =
            movegen::engine::divide(position, depth, &AtomicBool::new(false)).unwrap_or_default();
        moves.iter().map(|(_, leaves)| *leaves).sum::<u64>() as f64
    };
    if depth <= KNOWN {
        return 0.0;
    }
    let (before, last) = (count(KNOWN - 1), count(KNOWN));
    let growth = last / before.max(1.0);
    last * growth.powf(f64::from(depth - KNOWN))
}

/// Announces a long count; fails if it cannot end.
fn check_size(position: &Position, depth: u32) -> Result<(), CommandError> {
    let leaves = estimate(position, depth);
    if leaves >= u64::MAX as f64 {
        let digits = leaves.log10().floor();
        return Err(format!(
            "perft {depth} has about 10^{digits} leaf nodes, more than can be counted"
        )
        .into());
    }
    if leaves >= ANNOUNCED_LEAVES {
        warn(format_args!(
            "about {leaves:.0e} leaf nodes are counted; Ctrl-C stops"
        ));
    }
    Ok(())
}

pub(crate) fn run(args: &PerftArgs, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    let UciPosition { game, dropped, .. } = args.position.parse()?;
    let (position, variant) = (game.position(), game.position().variant());
    let cpus = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or_else(cpus, usize::from);
    check_size(position, args.depth)?;
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
