//! Updates of the histories by a finished node.

use crate::history::{MoveContext, bonus, malus};
use crate::node::Node;
use crate::params;
use crate::score::{Bound, Score};
use crate::thread::Worker;
use crate::window::Window;
use arrayvec::ArrayVec;
use movegen::{Move, engine};

/// The first moves that were tried at a node; later ones get no malus.
pub(crate) type TriedMoves = ArrayVec<Move, 32>;

/// Beta cutoff: the move that caused it gets a bonus, those tried before it a malus.
pub(crate) fn cutoff(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    depth: i32,
    context: &MoveContext,
    best: Move,
    quiets: &TriedMoves,
    noisies: &TriedMoves,
) {
    let tried = (quiets.len() + noisies.len()) as i32;
    let bonus = bonus(depth) + tried * params::history::bonus_per_tried();
    let malus = malus(depth);
    let position = node.position;
    if position.is_noisy(best) {
        worker.histories.update_capture(position, best, bonus);
    } else {
        worker.stack.at_mut(node.ply).killer = Some(best);
        worker
            .histories
            .update_quiet(position, context, best, bonus);
        for (&mv, number) in quiets.iter().filter(|&&mv| mv != best).zip(0..) {
            let share = (1 << 20) / (1024 + params::history::malus_decay() * number);
            let malus = malus * share / 1024 * share / 1024;
            worker.histories.update_quiet(position, context, mv, malus);
        }
    }
    for &mv in noisies.iter().filter(|&&mv| mv != best) {
        worker.histories.update_capture(position, mv, malus);
    }
}

/// A late move that beat alpha at reduced depth and was searched again: its continuation history
/// gets a bonus if it is as good as it looked, otherwise a malus.
pub(crate) fn re_searched(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    window: Window,
    score: Score,
    depth: i32,
) {
    let percent = params::late_move_reduction::re_search_percent();
    let amount = if score >= window.beta {
        bonus(depth)
    } else if score <= window.alpha {
        malus(depth)
    } else {
        0
    };
    if percent != 0
        && amount != 0
        && let Some(piece_to) = worker.stack.at(node.ply).piece_to
    {
        let context = worker.stack.continuation(node.ply);
        let histories = &mut worker.histories;
        histories.update_continuation(&context, piece_to, amount * percent / 100);
    }
}

/// Correction history: updated where the score and the evaluation can be compared. That is not
/// in check, not if the best move is a capture, and not if the bound says nothing new.
pub(crate) fn correction(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    depth: i32,
    best: Option<Move>,
    score: Score,
    bound: Bound,
) {
    let Some(eval) = node.static_eval else {
        return;
    };
    let eval = Score::eval(eval.corrected);
    let noisy = best.filter(|&mv| node.position.is_noisy(mv));
    let nothing_new =
        (bound == Bound::Lower && score <= eval) || (bound == Bound::Upper && score >= eval);
    if nothing_new || score.is_decisive() {
        return;
    }
    let mut error = score - eval;
    if let Some(mv) = noisy {
        if params::correction::losing_capture() == 0
            || engine::see_ge(node.position, mv, 0, &params::see_values())
        {
            return;
        }
        error = error * params::correction::losing_capture() / 128;
    }
    let side = node.position.side_to_move();
    let keys = worker.stack.at(node.ply).keys;
    let last_moves = worker.stack.last_moves(node.ply);
    worker
        .histories
        .update_correction(side, keys, last_moves, error, depth);
}
