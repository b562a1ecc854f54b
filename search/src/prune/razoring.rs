//! Razoring: an evaluation so far below alpha that only captures could still help; a
//! quiescence search is asked whether they do.

use crate::node::Node;
use crate::params::razoring as numbers;
use crate::qsearch::qsearch;
use crate::score::Score;
use crate::window::{Scout, Window};
use crate::worker::Worker;

/// `None` outside when the search is stopped, inside when the node must be searched.
pub(crate) fn cut(worker: &mut Worker<'_>, node: &Node<'_>) -> Option<Option<Score>> {
    let margin = numbers::base() + numbers::margin() * node.depth;
    let hopeless = numbers::enabled() != 0
        && node.depth <= numbers::depth()
        && !node.alpha().is_decisive()
        && node.guess + margin < node.alpha();
    if !hopeless {
        return Some(None);
    }
    let window = Window::below(node.alpha() + 1);
    let score = qsearch::<Scout>(worker, node.position, window, node.ply)?;
    Some((score <= node.alpha() && !score.is_decisive()).then_some(score))
}
