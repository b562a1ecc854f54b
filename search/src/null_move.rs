//! Null move: if passing still fails high, some move will. Wrong where every move hurts
//! (zugzwang), so not without officers, and at high depths the cut is verified by a search in
//! which the side may not pass for a while.

use crate::negamax::negamax;
use crate::node::Node;
use crate::params::null_move as numbers;
use crate::score::Score;
use crate::window::{Scout, Window};
use crate::worker::Worker;
use movegen::Role;

/// `None` outside when the search is stopped, inside when the node must be searched.
pub(crate) fn cut(worker: &mut Worker<'_>, node: &Node<'_>) -> Option<Option<Score>> {
    let beta = node.beta();
    if !applies(worker, node) {
        return Some(None);
    }
    let Some(passed) = node.position.make_null() else {
        return Some(None);
    };
    let above = ((node.guess - beta) / numbers::eval_divisor()).clamp(0, numbers::eval_most());
    let reduction = numbers::base() + node.depth / numbers::depth_divisor() + above;

    worker.pass(&passed, node.ply);
    let keys_from = std::mem::replace(&mut worker.keys_from, worker.keys.len() - 1);
    let window = Window::below(beta).flipped();
    let depth = node.depth - reduction;
    let score = negamax::<Scout>(worker, &passed, window, depth, node.ply + 1, !node.cut);
    worker.keys_from = keys_from;
    worker.take_back();
    let score = -score?;

    if score < beta {
        return Some(None);
    }
    // A mate found by passing is no mate.
    let score = if score.is_win() { beta } else { score };
    if node.depth < numbers::verify_depth() || worker.null_from > 0 {
        return Some(Some(score));
    }
    worker.null_from = node.ply + (3 * depth.max(0) as usize) / 4 + 1;
    let window = Window::below(beta);
    let verified = negamax::<Scout>(worker, node.position, window, depth, node.ply, false);
    worker.null_from = 0;
    Some((verified? >= beta).then_some(score))
}

fn applies(worker: &Worker<'_>, node: &Node<'_>) -> bool {
    let turn = node.position.side_to_move();
    let pawns_and_king =
        node.position.pieces(turn, Role::Pawn) | node.position.pieces(turn, Role::King);
    let passed_before = worker
        .stack
        .before(node.ply, 1)
        .is_some_and(|frame| frame.mv.is_none());
    numbers::enabled() != 0
        && node.depth >= numbers::depth()
        && !passed_before
        && node.ply >= worker.null_from
        && node.guess >= node.beta()
        && node
            .evaluation
            .is_some_and(|evaluation| evaluation.corrected >= node.beta().raw())
        && !node.beta().is_loss()
        && node.position.side(turn) != pawns_and_king
}
