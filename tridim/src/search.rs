//! A small search: iterative deepening over alpha-beta; the root moves are distributed over the
//! threads of rayon's current pool.
//!
//! It manages no time; the caller sets the deadline.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use movegen::GamePosition;
use negamax::{Shared, Window, Worker};
use rayon::prelude::*;
use tt::TranspositionTable;

use crate::game::Game;
use crate::moves::Move;
use crate::position::Position;

mod eval;
mod history;
mod negamax;
mod score;
mod tt;

pub use score::Score;

/// The maximum search depth.
pub const MAX_DEPTH: u32 = 64;

/// When a search ends.
#[expect(missing_debug_implementations, reason = "closures have no Debug")]
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Depth in plies, from 1 to `MAX_DEPTH`.
    pub depth: u32,
    /// The first iteration is always finished.
    pub deadline: Option<Instant>,
    /// Called at intervals; true stops the search. The first iteration is always finished.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// The result of a finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    pub depth: u32,
    pub score: Score,
    /// The principal variation.
    pub line: Vec<Move>,
}

/// Searches games; the transposition table is kept between searches.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
}

/// The score and line of a root move.
#[derive(Debug)]
struct RootScore {
    score: Score,
    line: Vec<Move>,
}

impl Default for Searcher {
    /// A searcher with a table of 16 MiB.
    fn default() -> Self {
        Self::new(1 << 20)
    }
}

impl Searcher {
    /// Creates a searcher with a table of at least `entries` entries of sixteen bytes.
    pub fn new(entries: usize) -> Self {
        Self {
            table: TranspositionTable::new(entries),
        }
    }

    /// Searches for the best move and reports every finished iteration. Returns `None` when there
    /// is no legal move.
    pub fn search(
        &self,
        game: &Game,
        limits: Limits<'_>,
        mut on_iteration: impl FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        let position = game.position();
        let mut roots = position.legal_moves();
        let reversible = usize::from(position.halfmove_clock());
        // The worker adds the current position itself.
        let past = game.positions().rev().skip(1).take(reversible);
        let mut past: Vec<u64> = past.map(Position::key).collect();
        past.reverse();
        let mut shared = Shared {
            table: &self.table,
            // The first iteration cannot be stopped.
            is_stopped: &|| false,
            deadline: None,
        };
        let mut best: Option<SearchResult> = None;
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            let Some(best_root) = search_roots(&shared, position, &roots, &past, depth) else {
                break;
            };
            // The best move is searched first in the next iteration.
            roots.retain(|&mv| Some(mv) != best_root.line.first().copied());
            roots.splice(0..0, best_root.line.first().copied());
            let report = SearchResult {
                depth,
                score: best_root.score,
                line: best_root.line,
            };
            on_iteration(&report);
            let decided = report
                .score
                .mate_in()
                .is_some_and(|moves| moves.unsigned_abs() * 2 <= depth);
            best = Some(report);
            shared.deadline = limits.deadline;
            shared.is_stopped = limits.is_stopped;
            if decided {
                break;
            }
        }
        best
    }
}

/// Searches the root moves: the first alone, the others in parallel against the best score so
/// far.
fn search_roots(
    shared: &Shared<'_>,
    position: &Position,
    roots: &[Move],
    past: &[u64],
    depth: u32,
) -> Option<RootScore> {
    let (&first, rest) = roots.split_first()?;
    let try_move = |mv: Move, window: Window| {
        let mut worker = Worker::new(shared, past.to_vec());
        let mut line = Vec::new();
        let score = worker.score_of(position, mv, depth - 1, 0, window, &mut line)?;
        line.insert(0, mv);
        Some(RootScore { score, line })
    };
    let best = Mutex::new(try_move(first, Window::FULL)?);
    let best_score = || best.lock().unwrap_or_else(PoisonError::into_inner).score;
    let finished = rest.par_iter().map(|&mv| {
        let alpha = best_score();
        let null_window = try_move(mv, Window::above(alpha))?;
        if null_window.score <= alpha {
            return Some(());
        }
        // Another thread may have raised the best score, but a score above the null window is only
        // a lower bound: it does not tell whether the move is better.
        let window = Window {
            alpha: best_score(),
            beta: Score::INFINITE,
        };
        let best_root = try_move(mv, window)?;
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        if best_root.score > best.score {
            *best = best_root;
        }
        Some(())
    });
    finished.collect::<Option<Vec<()>>>()?;
    Some(best.into_inner().unwrap_or_else(PoisonError::into_inner))
}
