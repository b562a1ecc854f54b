//! Updates of the histories by a finished node.

use crate::history::{MoveContext, bonus, malus};
use crate::node::Node;
use crate::score::{Bound, Score};
use crate::thread::Worker;
use arrayvec::ArrayVec;
use movegen::Move;

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
    let (bonus, malus) = (bonus(depth), malus(depth));
    let position = node.position;
    if position.is_noisy(best) {
        worker.histories.capture.update(position, best, bonus);
    } else {
        worker.stack.at_mut(node.ply).killer = Some(best);
        worker
            .histories
            .update_quiet(position, context, best, bonus);
        for &mv in quiets.iter().filter(|&&mv| mv != best) {
            worker.histories.update_quiet(position, context, mv, malus);
        }
    }
    for &mv in noisies.iter().filter(|&&mv| mv != best) {
        worker.histories.capture.update(position, mv, malus);
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
    let noisy = best.is_some_and(|mv| node.position.is_noisy(mv));
    let nothing_new =
        (bound == Bound::Lower && score <= eval) || (bound == Bound::Upper && score >= eval);
    if noisy || nothing_new || score.is_decisive() {
        return;
    }
    let side = node.position.side_to_move();
    let keys = worker.stack.at(node.ply).keys;
    let last_moves = worker.stack.last_moves(node.ply);
    let error = score - eval;
    worker
        .histories
        .correction
        .update(side, keys, last_moves, error, depth);
}
