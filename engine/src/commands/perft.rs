//! `go perft` and `castellan perft`: counting leaves move by move, on several threads, so that it can be stopped.

use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use movegen::{Move, Position, Variant};
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use serde::Serialize;
use thiserror::Error;

use crate::commands::position_args::PositionArgs;
use crate::output::json;
use crate::output::printer::Printer;
use crate::uci::session::WordsError;

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
    Words(#[from] WordsError),
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
        fen: json::fen(position, notation),
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

/// Deeper trees than this end in no lifetime, unless they end by themselves before.
const DEEPEST: u32 = 100;

/// So many plies are counted without looking at the stop flag.
const UNINTERRUPTED: u32 = 4;

/// So many plies below the root moves, the tree is still cut into pieces for the threads:
/// root moves alone are too few and too unequal to share out.
const SHARED_PLIES: u32 = 1;

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
    let moves = match depth.min(DEEPEST).checked_sub(1) {
        Some(below) => divide(position, below, threads, stop)?,
        None => Vec::new(),
    };
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

fn divide(
    position: &Position,
    below: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<(Move, u64)>, PerftError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| PerftError::Threads {
            wanted: threads,
            source,
        })?;
    let moves = position.legal_moves();
    let counts: Option<Vec<(Move, u64)>> = pool.install(|| {
        moves
            .par_iter()
            .map(|&mv| {
                let child = position.play_unchecked(mv);
                Some((mv, leaves(&child, below, SHARED_PLIES, stop)?))
            })
            .collect()
    });
    counts.ok_or(PerftError::Stopped)
}

/// The leaves so many plies below; `None` when stopped.
fn leaves(position: &Position, depth: u32, shared: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= UNINTERRUPTED && shared == 0 || depth <= 1 {
        return Some(movegen::perft(position, depth));
    }
    let moves = position.legal_moves();
    let below = |&mv: &Move| {
        let child = position.play_unchecked(mv);
        leaves(&child, depth - 1, shared.saturating_sub(1), stop)
    };
    if shared > 0 {
        moves.par_iter().map(below).sum()
    } else {
        moves.iter().map(below).sum()
    }
}
