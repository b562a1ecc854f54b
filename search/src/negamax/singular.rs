//! Singular extensions: the TT move is searched deeper if a reduced search of all other moves
//! stays below its score by a margin; two or three plies (double and triple extension) if far
//! below. If the others reach beta too, several moves fail high and the node is cut (multi-cut);
//! otherwise a TT move that looked like a cutoff is reduced (negative extension).

use super::negamax;
use crate::node::Node;
use crate::params::singular;
use crate::score::Score;
use crate::thread::{Stopped, Worker};
use crate::window::{NonPv, Window};
use movegen::Move;

pub(super) enum Singular {
    /// Search the move this many plies deeper, or shallower if negative.
    Extend(i32),
    /// Multi-cut: the node's score.
    MultiCut(Score),
}

pub(super) fn search(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    depth: i32,
    mv: Move,
) -> Result<Singular, Stopped> {
    let Some(tt_score) = candidate(worker, node, depth, mv) else {
        return Ok(Singular::Extend(0));
    };
    let beta = tt_score - singular::beta_margin() * depth / 64;
    let window = Window::null(beta);
    let half = (depth - 1) / 2;
    worker.stack.at_mut(node.ply).excluded = Some(mv);
    let score = negamax::<NonPv>(worker, node.position, window, half, node.ply, node.cut_node)?;
    worker.stack.at_mut(node.ply).excluded = None;

    if score < beta {
        let entry = worker.stack.at(node.ply);
        let double = !node.pv
            && entry.double_extensions < singular::max_double_extensions()
            && score < beta - singular::double_margin();
        let triple =
            double && !node.position.is_noisy(mv) && score < beta - singular::triple_margin();
        return Ok(Singular::Extend(1 + i32::from(double) + i32::from(triple)));
    }
    if score >= node.beta() && !score.is_decisive() {
        let share = singular::multi_cut_blend() / (depth + 1);
        return Ok(Singular::MultiCut(score.towards(node.beta(), share)));
    }
    Ok(Singular::Extend(if tt_score >= node.beta() {
        -3
    } else if node.cut_node {
        -2
    } else {
        0
    }))
}

/// The TT score, if the move may be singular.
fn candidate(worker: &Worker<'_>, node: &Node<'_>, depth: i32, mv: Move) -> Option<Score> {
    let entry = node.tt_entry?;
    let score = node.tt_score?;
    let applies = node.ply > 0
        && node.ply < 2 * worker.depth as usize
        && depth >= singular::depth()
        && node.excluded.is_none()
        && node.tt_move == Some(mv)
        && entry.depth >= depth - singular::entry_margin()
        && entry.bound.is_lower()
        && !score.is_decisive();
    applies.then_some(score)
}
