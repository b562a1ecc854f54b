//! Iterative deepening with aspiration windows.

use crate::negamax::search_root;
use crate::params::aspiration;
use crate::score::{MAX_PLY, Score};
use crate::shared::WorkerResult;
use crate::thread::{Stopped, Worker};
use crate::time::Difficulty;
use crate::window::Window;

/// The results of the iterations so far, for time management.
#[derive(Default)]
struct Iterations {
    /// Iterations since the best move last changed.
    stable_for: u32,
    scores: Vec<Score>,
}

/// Deepens until the search is halted, which the leader decides. `None` without a root move.
pub(crate) fn deepen(worker: &mut Worker<'_>) -> Option<WorkerResult> {
    let mut found = worker.root_moves.best().map(|best| WorkerResult {
        best: best.clone(),
        depth: 0,
        completed: (Vec::new(), 0),
    })?;
    let mut iterations = Iterations::default();
    let depth_limit = worker.shared.options.limits.depth;
    let deepest = match depth_limit {
        _ if worker.shared.is_drawn => 1,
        None => MAX_DEPTH,
        Some(depth) => i32::try_from(depth)
            .unwrap_or(MAX_DEPTH)
            .clamp(1, MAX_DEPTH),
    };
    for depth in 1..=deepest {
        worker.depth = depth;
        worker.root_moves.begin_iteration();
        let searched = search_for_mate(worker, depth).map(|()| search_lines(worker, depth));
        let Ok(completed) = searched else { break };
        worker.root_moves.line = 0;
        if completed.is_err() {
            if let Some(best) = worker.root_moves.best_of_stopped() {
                found = WorkerResult {
                    best: best.clone(),
                    depth,
                    ..found
                };
            }
            break;
        }
        let Some(best) = worker.root_moves.best() else {
            break;
        };
        iterations.stable_for = if best.mv == found.best.mv {
            iterations.stable_for + 1
        } else {
            0
        };
        iterations.scores.push(best.score);
        let lines = worker.root_moves.moves.iter().take(worker.multi_pv());
        found = WorkerResult {
            best: best.clone(),
            depth,
            completed: (lines.cloned().collect(), depth),
        };
        worker.finished_depth = depth;
        worker.shared.publish_result(worker.index, &found);
        if worker.index == 0 && is_done(worker, &found, &iterations) {
            break;
        }
    }
    worker.publish();
    Some(found)
}

const MAX_DEPTH: i32 = MAX_PLY as i32 - 1;

/// Searches every line (MultiPV) of an iteration, each without the first moves of those before it.
fn search_lines(worker: &mut Worker<'_>, depth: i32) -> Result<(), Stopped> {
    let lines = worker.multi_pv();
    for line in 0..lines {
        worker.root_moves.line = line;
        worker.selective_depth = 0;
        let searched = aspiration_search(worker, depth);
        worker.root_moves.sort_finished();
        searched?;
    }
    for line in 0..lines {
        worker.report(line, depth);
    }
    Ok(())
}

/// Searches the moves that win by the tablebases, but not with the smallest DTZ, for mates faster
/// than what is known: DTZ ends at the next zeroing move.
fn search_for_mate(worker: &mut Worker<'_>, depth: i32) -> Result<(), Stopped> {
    let Some(line) = worker.root_moves.slower_wins() else {
        return Ok(());
    };
    let first = worker
        .root_moves
        .best()
        .map_or(Score::DRAW, |best| best.last_score);
    let window = Window {
        alpha: first.max(Score::tablebase_win(0)),
        beta: Score::INFINITE,
    };
    worker.root_moves.line = line;
    worker.root_moves.begin_line();
    let searched = search_root(worker, window, depth);
    worker.root_moves.promote_mates();
    searched.map(|_| ())
}

/// Searches one line in aspiration windows: a narrow window around the last score, widened on the
/// side where the score falls outside.
fn aspiration_search(worker: &mut Worker<'_>, depth: i32) -> Result<Score, Stopped> {
    let last = worker
        .root_moves
        .best()
        .map_or(Score::DRAW, |best| best.last_score);
    let narrow =
        depth >= aspiration::from_depth() && last != Score::MINUS_INFINITE && !last.is_decisive();
    let mut delta = aspiration::delta();
    let mut window = if narrow {
        Window {
            alpha: last - delta,
            beta: last + delta,
        }
    } else {
        Window::FULL
    };
    let mut reduction = 0;
    loop {
        worker.root_moves.begin_line();
        let searched = search_root(worker, window, (depth - reduction).max(1));
        worker.root_moves.sort_rest();
        let score = searched?;
        if score <= window.alpha {
            worker.report_bound(depth);
            window.beta = Score::eval((window.alpha.raw() + window.beta.raw()) / 2);
            window.alpha = widened(score, -delta);
            reduction = 0;
        } else if score >= window.beta {
            worker.report_bound(depth);
            worker.root_moves.record_fail_high();
            window.beta = widened(score, delta);
            reduction = (reduction + 1).min(3);
        } else {
            return Ok(score);
        }
        delta += delta * aspiration::widen_percent() / 100;
    }
}

/// The next edge of the window: a delta further out, or infinite when that is far.
fn widened(score: Score, delta: i32) -> Score {
    const FAR: i32 = 1500;
    let edge = score + delta;
    if delta.abs() > FAR || score.is_decisive() {
        if delta > 0 {
            Score::INFINITE
        } else {
            Score::MINUS_INFINITE
        }
    } else {
        edge
    }
}

/// A forced move is played after this depth, which is enough for a score in line with those of the
/// neighbouring moves and for a reply to ponder on.
const FORCED_DEPTH: i32 = 10;

/// True if this iteration is the last.
fn is_done(worker: &Worker<'_>, found: &WorkerResult, iterations: &Iterations) -> bool {
    let shared = worker.shared;
    let limits = &shared.options.limits;
    let mate = found.best.score.mate_distance();
    if let (Some(wanted), Some(moves)) = (limits.mate, mate)
        && moves > 0
        && moves.unsigned_abs() <= wanted
    {
        return true;
    }
    let fewest = shared.node_limit.into_iter().chain(limits.soft_nodes).min();
    if shared.control.is_stopped() || fewest.is_some_and(|limit| shared.nodes() >= limit) {
        return true;
    }
    if limits.infinite {
        return false;
    }
    let timed = limits.clocks[worker.root.side_to_move().index()]
        .remaining
        .is_some();
    let is_enough = if timed && worker.root_moves.is_forced() {
        found.depth >= FORCED_DEPTH || shared.time.forced_limit_reached(shared.elapsed())
    } else {
        let difficulty = difficulty(worker, found, iterations);
        shared.out_of_time() || shared.time.soft_limit_reached(shared.elapsed(), difficulty)
    };
    shared.end_at_ponder_hit(is_enough);
    is_enough && !shared.control.is_pondering(shared.options)
}

fn difficulty(worker: &Worker<'_>, found: &WorkerResult, iterations: &Iterations) -> Difficulty {
    const ITERATIONS_BACK: usize = 3;
    let earlier = iterations.scores.iter().rev().nth(ITERATIONS_BACK);
    let score_drop = earlier.map_or(0, |&earlier| earlier - found.best.score);
    let node_share = found.best.nodes * 1024 / worker.nodes.max(1);
    Difficulty {
        stable_for: iterations.stable_for,
        score_drop,
        node_share: node_share as u32,
    }
}

impl Worker<'_> {
    /// The number of lines to search.
    pub(crate) fn multi_pv(&self) -> usize {
        let wanted = self.shared.options.multi_pv.max(1);
        wanted.min(self.root_moves.moves.len())
    }
}
