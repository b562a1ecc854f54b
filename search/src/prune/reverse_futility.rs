//! Reverse futility: an evaluation so far above beta that shallow replies will not bring it
//! below. Not in check, not where an exact value is wanted, and not near mates, where
//! evaluations mean little.

use crate::node::Node;
use crate::params::reverse_futility as numbers;
use crate::score::Score;

pub(crate) fn cut(node: &Node<'_>) -> Option<Score> {
    let margin = numbers::margin() * node.depth - numbers::improving() * i32::from(node.improving);
    let holds = numbers::enabled() != 0
        && node.depth <= numbers::depth()
        && !node.table_pv
        && !node.beta().is_loss()
        && !node.guess.is_decisive()
        && node.guess - margin >= node.beta();
    // The truth lies somewhere between; half way is a value to remember.
    holds.then(|| node.beta().towards(node.guess, 512))
}
