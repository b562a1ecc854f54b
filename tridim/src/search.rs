//! A small search: iterative deepening over alpha-beta, its root moves shared out over the
//! threads of rayon's current pool.
//!
//! It knows no clock: whoever has one sets `stop`.

mod evaluate;
mod negamax;
mod order;
mod score;
mod table;

use crate::game::Game;
use crate::mv::Move;
use crate::position::Position;
use negamax::{Shared, Window, Worker};
use rayon::prelude::*;
pub use score::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use table::Table;

/// The deepest search that can be asked for.
pub const MOST_DEPTH: u32 = 64;

/// What the first ply is stopped by.
static NEVER: AtomicBool = AtomicBool::new(false);

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Plies, 1 to `MOST_DEPTH`.
    pub depth: u32,
    /// Positions looked at, or a little more.
    pub nodes: u64,
    /// Set by whoever wants it to end now; the first ply is finished all the same.
    pub stop: &'a AtomicBool,
}

/// What a finished ply of deepening has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub depth: u32,
    pub score: Score,
    pub nodes: u64,
    /// The best line, which begins with the best move.
    pub line: Vec<Move>,
}

/// Searches games, and remembers what it has seen from one to the next.
#[derive(Debug)]
pub struct Searcher {
    table: Table,
}

/// What a root move has come to.
#[derive(Debug)]
struct Tried {
    score: Score,
    line: Vec<Move>,
}

impl Searcher {
    /// A searcher with a table of so many entries, sixteen bytes each.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self {
            table: Table::new(entries),
        }
    }

    /// Looks for the best move and tells of every ply finished. `None` when the game's
    /// position has no legal move.
    pub fn search(
        &self,
        game: &Game,
        limits: Limits<'_>,
        mut on_ply: impl FnMut(&Report),
    ) -> Option<Report> {
        let position = game.position();
        let mut roots = position.legal_moves();
        let reversible = usize::from(position.halfmove_clock());
        let past: Vec<u64> = game.positions().map(Position::key).collect();
        // The present position is the worker's to add.
        let past = past.get(..past.len().saturating_sub(1)).unwrap_or_default();
        let past = past.get(past.len().saturating_sub(reversible)..);
        let past = past.unwrap_or_default();
        let mut shared = Shared {
            table: &self.table,
            stop: &NEVER,
            nodes: AtomicU64::new(0),
            most_nodes: u64::MAX,
        };
        let mut best: Option<Report> = None;
        for depth in 1..=limits.depth.clamp(1, MOST_DEPTH) {
            let Some(tried) = search_roots(&shared, position, &roots, past, depth) else {
                break;
            };
            // The best one is searched first on the next ply, the others as they were.
            roots.retain(|&mv| Some(mv) != tried.line.first().copied());
            roots.splice(0..0, tried.line.first().copied());
            let report = Report {
                depth,
                score: tried.score,
                nodes: shared.nodes.load(Ordering::Relaxed),
                line: tried.line,
            };
            on_ply(&report);
            let decided = report
                .score
                .mate_in()
                .is_some_and(|moves| moves.unsigned_abs() * 2 <= depth);
            best = Some(report);
            shared.most_nodes = limits.nodes;
            shared.stop = limits.stop;
            if decided || shared.nodes.load(Ordering::Relaxed) >= limits.nodes {
                break;
            }
        }
        best
    }
}

/// The best root move. The first is searched alone, the rest by all threads against the best
/// score so far.
fn search_roots(
    shared: &Shared<'_>,
    position: &Position,
    roots: &[Move],
    past: &[u64],
    depth: u32,
) -> Option<Tried> {
    let (&first, rest) = roots.split_first()?;
    let try_move = |mv: Move, window: Window| {
        let mut worker = Worker::new(shared, past.to_vec());
        let mut line = Vec::new();
        let score = worker.score_of(position, mv, depth - 1, 0, window, &mut line);
        worker.report();
        line.insert(0, mv);
        let score = score?;
        Some(Tried { score, line })
    };
    let best = Mutex::new(try_move(first, Window::FULL)?);
    let best_score = || best.lock().unwrap_or_else(PoisonError::into_inner).score;
    let finished = rest.par_iter().map(|&mv| {
        let narrow = try_move(mv, Window::above(best_score()))?;
        let alpha = best_score();
        if narrow.score <= alpha {
            return Some(());
        }
        let window = Window {
            alpha,
            beta: Score::INFINITE,
        };
        let tried = try_move(mv, window)?;
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        if tried.score > best.score {
            *best = tried;
        }
        Some(())
    });
    finished.collect::<Option<Vec<()>>>()?;
    Some(best.into_inner().unwrap_or_else(PoisonError::into_inner))
}
