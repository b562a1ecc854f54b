//! `go perft` and `castellan perft`: counting leaves move by move, on several threads, so that it can be stopped.

use std::io;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use movegen::{Move, Position, Variant};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use serde::Serialize;
use thiserror::Error;

use crate::commands::position_args::PositionArgs;
use crate::notation;
use crate::output::printer::Printer;
use crate::uci::position::PositionError;

/// Counts the leaves of the tree of legal moves, below each move and in all
#[derive(Debug, clap::Args)]
pub(crate) struct PerftArgs {
    /// How many plies deep
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Threads [default: as many as the machine has cores for]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Answers with one line of JSON
    #[arg(long)]
    json: bool,
}

/// Why `castellan perft` says nothing.
#[derive(Debug, Error)]
pub(crate) enum PerftJobError {
    #[error(transparent)]
    Words(#[from] PositionError),
    #[error(transparent)]
    Count(#[from] PerftError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// The job of the shell.
pub(crate) fn run(args: &PerftArgs, printer: &Printer<io::Stdout>) -> Result<(), PerftJobError> {
    let game = args.position.placed()?.game;
    let (position, notation) = (game.position(), args.position.variant());
    let threads = args
        .threads
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZero::get);
    let started = Instant::now();
    let count = count(position, args.depth, threads, &AtomicBool::new(false))?;
    let time = started.elapsed();
    if !args.json {
        printer.lines(count.lines(notation));
        return Ok(());
    }
    let moves = count.moves.iter().map(|(mv, nodes)| MoveTold {
        uci: mv.uci(notation).to_string(),
        san: position.san(*mv),
        nodes: *nodes,
    });
    let told = CountTold {
        fen: notation::fen(position, notation),
        depth: args.depth,
        moves: moves.collect(),
        nodes: count.sum,
        time: time.as_millis(),
    };
    printer.line(serde_json::to_string(&told)?);
    Ok(())
}

/// A count in JSON.
#[derive(Debug, Serialize)]
struct CountTold {
    fen: String,
    depth: u32,
    moves: Vec<MoveTold>,
    nodes: u64,
    /// In milliseconds.
    time: u128,
}

#[derive(Debug, Serialize)]
struct MoveTold {
    uci: String,
    san: String,
    nodes: u64,
}

/// Why there is no count.
#[derive(Debug, Error)]
pub(crate) enum PerftError {
    #[error("{wanted} threads could not be started for perft: {source}")]
    Threads {
        wanted: usize,
        source: ThreadPoolBuildError,
    },
    #[error("perft was stopped before its end")]
    Stopped,
}

/// The leaves below each root move.
#[derive(Debug)]
pub(crate) struct Count {
    moves: Vec<(Move, u64)>,
    sum: u64,
}

/// Counts the leaves so many plies below a position.
pub(crate) fn count(
    position: &Position,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Count, PerftError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| PerftError::Threads {
            wanted: threads,
            source,
        })?;
    let moves = pool
        .install(|| movegen::divide(position, depth, stop))
        .ok_or(PerftError::Stopped)?;
    // With no ply to go the position itself is the one leaf.
    let sum = match depth {
        0 => 1,
        _ => moves.iter().map(|(_, count)| count).sum(),
    };
    Ok(Count { moves, sum })
}

impl Count {
    /// One line a root move, an empty one, and the sum.
    pub(crate) fn lines(&self, notation: Variant) -> Vec<String> {
        let moves = self.moves.iter();
        let moves = moves.map(|(mv, count)| format!("{}: {count}", mv.uci(notation)));
        let tail = [String::new(), format!("Nodes searched: {}", self.sum)];
        moves.chain(tail).collect()
    }
}
