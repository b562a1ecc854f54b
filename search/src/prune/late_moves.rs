//! Late-move pruning: at low depth, quiet moves this far down a good ordering are left out.

use crate::node::Node;
use crate::params::late_moves as numbers;

/// So many moves are enough.
pub(crate) fn enough(node: &Node<'_>, depth: i32, tried: i32) -> bool {
    let allowed = numbers::base() + depth * depth;
    let allowed = if node.improving { allowed } else { allowed / 2 };
    numbers::enabled() != 0 && depth <= numbers::depth() && tried >= allowed
}
