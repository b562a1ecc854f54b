//! Futility: the evaluation is so far below alpha that a quiet move at low depth will not
//! reach it. Not in check, where there is no evaluation to go by.

use crate::node::Node;
use crate::params::futility as numbers;

/// `depth` is what the move would be searched to, reduced.
pub(crate) fn hopeless(node: &Node<'_>, depth: i32, history: i32) -> bool {
    let Some(evaluation) = node.evaluation else {
        return false;
    };
    let hope = numbers::base() + numbers::margin() * depth + history / numbers::history_divisor();
    numbers::enabled() != 0
        && depth <= numbers::depth()
        && evaluation.corrected + hope <= node.alpha().raw()
}
