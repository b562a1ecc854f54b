//! Adjustments of a node's depth, in plies; `negamax` applies each at its step.

use crate::node::Node;
use crate::params;
use crate::score::Score;
use crate::stack::Stack;

/// Hindsight depth adjustment: the move before was reduced by `reduction`, and the static
/// evaluation now tells whether it deserved that. It was better than it looked: deeper. It made
/// things clearly worse for its side: shallower.
pub(crate) fn hindsight(stack: &Stack, node: &Node<'_>, depth: i32, reduction: i32) -> i32 {
    let before = stack.before(node.ply, 1).and_then(|parent| parent.eval);
    let (Some(before), Some(after)) = (before, node.static_eval) else {
        return 0;
    };
    // Each is from the view of its own side to move.
    let loss = before + after.corrected;
    if reduction >= params::hindsight::deeper_from() && loss <= 0 {
        1
    } else if reduction >= params::hindsight::shallower_from()
        && depth >= 2
        && loss > params::hindsight::shallower_margin()
    {
        -1
    } else {
        0
    }
}

/// Internal iterative reduction (IIR): PV and cut nodes without a TT move are searched one ply
/// shallower; the next visit will have a move.
pub(crate) fn internal_iterative_reduction(node: &Node<'_>, depth: i32) -> i32 {
    let applies = depth >= params::internal_iterative_reduction::depth()
        && node.tt_move.is_none()
        && node.excluded.is_none()
        && (node.pv || node.cut_node);
    i32::from(applies)
}

/// The reduction of the moves after one that raised alpha: they are less likely to matter.
pub(crate) fn after_raised_alpha(depth: i32, score: Score) -> i32 {
    let depths = params::late_move_reduction::raised_alpha_from()
        ..params::late_move_reduction::raised_alpha_below();
    i32::from(depths.contains(&depth) && !score.is_decisive())
}
