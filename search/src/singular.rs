//! Singular extensions: a move from the table that is better than all others by far is
//! searched deeper, by two or three plies when it is very much so. The same search without
//! it may show instead that several moves fail high (multicut), or that the table's move is
//! nothing special and gets less.

use crate::negamax::negamax;
use crate::node::Node;
use crate::params::singular as numbers;
use crate::score::Score;
use crate::window::{Scout, Window};
use crate::worker::Worker;
use movegen::Move;

/// What comes of asking.
pub(crate) enum Verdict {
    /// Search so many plies deeper (or shallower).
    Extend(i32),
    /// Without this move the node fails high too.
    MultiCut(Score),
}

/// `None` when the search is stopped.
pub(crate) fn ask(worker: &mut Worker<'_>, node: &Node<'_>, mv: Move) -> Option<Verdict> {
    let Some(score) = candidate(worker, node, mv) else {
        return Some(Verdict::Extend(0));
    };
    let margin = numbers::beta_margin() * node.depth / 64;
    let beta = score - margin;
    let depth = (node.depth - 1) / 2;
    worker.stack.at_mut(node.ply).excluded = Some(mv);
    let without = negamax::<Scout>(
        worker,
        node.position,
        Window::below(beta),
        depth,
        node.ply,
        node.cut,
    );
    worker.stack.at_mut(node.ply).excluded = None;
    let without = without?;

    if without < beta {
        let spare = worker.stack.at(node.ply).double_extensions < numbers::double_limit();
        let quiet = !node.position.is_noisy(mv);
        let double = !node.pv && spare && without < beta - numbers::double_margin();
        let triple = double && quiet && without < beta - numbers::triple_margin();
        return Some(Verdict::Extend(1 + i32::from(double) + i32::from(triple)));
    }
    if without >= node.beta() && !without.is_decisive() {
        return Some(Verdict::MultiCut(without));
    }
    let negative = if score >= node.beta() {
        -3
    } else if node.cut {
        -2
    } else {
        0
    };
    Some(Verdict::Extend(negative))
}

/// The table's value, when the move is one to ask about.
fn candidate(worker: &Worker<'_>, node: &Node<'_>, mv: Move) -> Option<Score> {
    let hit = node.hit?;
    let score = node.table_score?;
    let asks = numbers::enabled() != 0
        && node.ply > 0
        && node.ply < 2 * worker.depth as usize
        && node.depth >= numbers::depth()
        && node.excluded.is_none()
        && node.table_move == Some(mv)
        && hit.depth >= node.depth - numbers::entry_margin()
        && hit.bound.is_some_and(crate::score::Bound::is_lower)
        && !score.is_decisive();
    asks.then_some(score)
}
