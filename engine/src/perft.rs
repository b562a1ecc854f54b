//! `go perft`: counting leaves move by move, on several threads, so that it can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};

use movegen::{Move, Position, Variant};
use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;

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

/// One line a root move, an empty one, and the sum.
pub(crate) fn lines(
    position: &Position,
    notation: Variant,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<String>, PerftError> {
    let counts = match depth.min(DEEPEST).checked_sub(1) {
        Some(below) => divide(position, below, threads, stop)?,
        None => Vec::new(),
    };
    // With no ply to go the position itself is the one leaf.
    let sum: u64 = match depth {
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum(),
    };
    let moves = counts
        .iter()
        .map(|(mv, count)| format!("{}: {count}", mv.uci(notation)));
    let tail = [String::new(), format!("Nodes searched: {sum}")];
    Ok(moves.chain(tail).collect())
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
