//! Exchange pruning: moves that lose more material than their depth can win back.

use crate::node::Node;
use crate::params::{exchange_pruning as numbers, exchange_values};
use movegen::Move;

/// `depth` is the node's for captures, the reduced one for quiet moves.
#[inline]
pub(crate) fn loses(node: &Node<'_>, mv: Move, depth: i32, noisy: bool) -> bool {
    let bearable = if noisy {
        -numbers::noisy_margin() * depth
    } else {
        -numbers::quiet_margin() * depth * depth
    };
    numbers::enabled() != 0
        && depth <= numbers::depth()
        && !node
            .position
            .exchange_gains(mv, bearable, &exchange_values())
}
