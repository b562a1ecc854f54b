//! Pruning by static margins: one short function each. Two kinds: razoring and reverse futility
//! cut a whole node before any move is tried; the others skip a single move before it is played.
//!
//! The prunings that search moves of their own are in `null_move`, `probcut` and `singular`.

use crate::node::Node;
use crate::params::{
    exchange_pruning, exchange_values, futility, history_pruning, late_moves,
    razoring as razoring_params, reverse_futility as rfp_params,
};
use crate::qsearch::qsearch;
use crate::score::Score;
use crate::window::{Scout, Window};
use crate::worker::Worker;
use movegen::Move;

/// Reverse futility pruning (RFP), also called static null-move pruning: the evaluation is so
/// far above beta that shallow replies will not bring it below. Not in check, not in PV nodes,
/// and not near mate scores, where evaluations mean little.
pub(crate) fn reverse_futility(node: &Node<'_>) -> Option<Score> {
    let margin =
        rfp_params::margin() * node.depth - rfp_params::improving() * i32::from(node.improving);
    let holds = rfp_params::enabled() != 0
        && node.depth <= rfp_params::depth()
        && !node.table_pv
        && !node.beta().is_loss()
        && !node.guess.is_decisive()
        && node.guess - margin >= node.beta();
    // The true value lies between the two; return the middle.
    holds.then(|| node.beta().towards(node.guess, 512))
}

/// Razoring: the evaluation is so far below alpha that only captures could still help; a
/// quiescence search checks whether they do. `None` outside when the search is stopped, inside
/// when the node must be searched.
pub(crate) fn razoring(worker: &mut Worker<'_>, node: &Node<'_>) -> Option<Option<Score>> {
    let margin = razoring_params::base() + razoring_params::margin() * node.depth;
    let applies = razoring_params::enabled() != 0
        && node.depth <= razoring_params::depth()
        && !node.alpha().is_decisive()
        && node.guess + margin < node.alpha();
    if !applies {
        return Some(None);
    }
    let window = Window::below(node.alpha() + 1);
    let score = qsearch::<Scout>(worker, node.position, window, node.ply)?;
    Some((score <= node.alpha() && !score.is_decisive()).then_some(score))
}

/// Late move pruning (LMP), also called move-count pruning: at low depth, skips the quiet moves
/// this far down a good ordering.
pub(crate) fn late_move(node: &Node<'_>, depth: i32, tried: i32) -> bool {
    let allowed = late_moves::base() + depth * depth;
    let allowed = if node.improving { allowed } else { allowed / 2 };
    late_moves::enabled() != 0 && depth <= late_moves::depth() && tried >= allowed
}

/// Futility pruning (FP): the evaluation is so far below alpha that a quiet move at low depth
/// will not reach it. Not in check, where there is no evaluation. `depth` is the reduced depth
/// the move would be searched to.
pub(crate) fn futile(node: &Node<'_>, depth: i32, history: i32) -> bool {
    let Some(evaluation) = node.evaluation else {
        return false;
    };
    let margin =
        futility::base() + futility::margin() * depth + history / futility::history_divisor();
    futility::enabled() != 0
        && depth <= futility::depth()
        && evaluation.corrected + margin <= node.alpha().raw()
}

/// History pruning: at low depth, skips quiet moves with a bad history score.
pub(crate) fn bad_history(depth: i32, history: i32) -> bool {
    history_pruning::enabled() != 0
        && depth <= history_pruning::depth()
        && history < -history_pruning::margin() * depth.max(1)
}

/// SEE pruning: skips moves whose static exchange evaluation (SEE) loses more material than
/// their depth can win back. `depth` is the node's for captures, the reduced one for quiet
/// moves.
#[inline]
pub(crate) fn bad_see(node: &Node<'_>, mv: Move, depth: i32, noisy: bool) -> bool {
    let threshold = if noisy {
        -exchange_pruning::noisy_margin() * depth
    } else {
        -exchange_pruning::quiet_margin() * depth * depth
    };
    exchange_pruning::enabled() != 0
        && depth <= exchange_pruning::depth()
        && !node.position.see_ge(mv, threshold, &exchange_values())
}
