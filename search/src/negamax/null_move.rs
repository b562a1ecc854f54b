//! Null-move pruning (NMP): if passing the turn still fails high, some move will too. Tried at cut
//! nodes only. Wrong in zugzwang, so not with king and pawns only; and at high depth the cutoff is
//! verified by a search without null moves.

use super::negamax;
use crate::node::Node;
use crate::params::null_move;
use crate::score::Score;
use crate::thread::{Stopped, Worker};
use crate::window::{NonPv, Window};
use movegen::Role;

/// The node's score if it can be pruned.
pub(super) fn prune(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    depth: i32,
) -> Result<Option<Score>, Stopped> {
    if !applies(worker, node, depth) {
        return Ok(None);
    }
    let Some(passed) = node.position.null_move() else {
        return Ok(None);
    };
    let beta = node.beta();
    let above = ((node.eval - beta) / null_move::eval_divisor()).clamp(0, null_move::eval_max());
    let reduced = depth - null_move::base() - depth / null_move::depth_divisor() - above;

    let key_start = worker.make_null(&passed, node.ply);
    let window = Window::null(beta).flipped();
    let ply = node.ply + 1;
    let score = -negamax::<NonPv>(worker, &passed, window, reduced, ply, !node.cut_node)?;
    worker.undo_null(key_start);

    if score < beta {
        return Ok(None);
    }
    // A mate found by passing is not proven.
    let score = if score.is_win() { beta } else { score };
    if depth < null_move::verify_depth() || worker.null_move_min_ply > 0 {
        return Ok(Some(score));
    }
    worker.null_move_min_ply = node.ply + (3 * reduced.max(0) as usize) / 4 + 1;
    let window = Window::null(beta);
    let verified = negamax::<NonPv>(worker, node.position, window, reduced, node.ply, false)?;
    worker.null_move_min_ply = 0;
    Ok((verified >= beta).then_some(score))
}

fn applies(worker: &Worker<'_>, node: &Node<'_>, depth: i32) -> bool {
    let side = node.position.side_to_move();
    let pawns_and_king =
        node.position.pieces(side, Role::Pawn) | node.position.pieces(side, Role::King);
    let after_null_move = worker
        .stack
        .before(node.ply, 1)
        .is_some_and(|entry| entry.mv.is_none());
    node.cut_node
        && depth >= null_move::depth()
        && !after_null_move
        && node.ply >= worker.null_move_min_ply
        && node.eval >= node.beta()
        && node
            .static_eval
            .is_some_and(|eval| eval.corrected >= node.beta().raw())
        && !node.beta().is_loss()
        && node.position.by_color(side) != pawns_and_king
}
