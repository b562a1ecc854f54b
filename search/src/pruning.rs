//! Cutoffs and pruning by static rules, one short function each: the TT cutoff, reverse futility
//! pruning and razoring end a whole node before any move is searched; the others skip a single
//! move.
//!
//! The techniques that search moves of their own are below `negamax`: null-move pruning,
//! ProbCut, singular extensions with multi-cut.

use crate::movepick::QuietChecks;
use crate::node::Node;
use crate::params::{self, see_values};
use crate::qsearch::qsearch;
use crate::score::Score;
use crate::thread::{Stopped, Worker};
use crate::tt::TtEntry;
use crate::window::{NonPv, Window};
use movegen::{Move, Position, engine};

/// TT cutoff: an earlier visit at least as deep proved that the value lies outside the window.
/// Not when the fifty-move rule is near, because the table knows the clock only roughly.
pub(crate) fn tt_cutoff(
    position: &Position,
    entry: Option<TtEntry>,
    window: Window,
    depth: i32,
    ply: usize,
    cut_node: bool,
) -> Option<Score> {
    const MAX_CLOCK: u16 = 90;
    let entry = entry.filter(|entry| entry.depth >= depth)?;
    let score = entry.score_at(position, ply)?;
    let as_expected = cut_node == (score >= window.beta);
    let cuts = window.is_cut_by(entry.bound, score)
        && position.halfmove_clock() < MAX_CLOCK
        && (as_expected || depth > params::tt_cutoff::node_type_depth());
    cuts.then_some(score)
}

/// Reverse futility pruning (RFP), also called static null-move pruning: the evaluation is so
/// far above beta that shallow replies will not bring it below. Not near mate scores, where
/// evaluations mean little.
pub(crate) fn reverse_futility(node: &Node<'_>, depth: i32) -> Option<Score> {
    let margin = params::reverse_futility::margin() * depth
        - params::reverse_futility::improving() * i32::from(node.improving);
    let prunes = depth <= params::reverse_futility::depth()
        && !node.tt_pv
        && !node.beta().is_loss()
        && !node.eval.is_decisive()
        && node.eval - margin >= node.beta();
    // The true value is probably between the two.
    prunes.then(|| node.beta().towards(node.eval, 512))
}

/// Razoring: the evaluation is so far below alpha that only captures could still help. Prunes
/// if a quiescence search says that they do not.
pub(crate) fn razoring(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    depth: i32,
) -> Result<Option<Score>, Stopped> {
    let margin = params::razoring::base() + params::razoring::margin() * depth;
    let applies = depth <= params::razoring::depth()
        && !node.alpha().is_decisive()
        && node.eval + margin < node.alpha();
    if !applies {
        return Ok(None);
    }
    let window = Window::null(node.alpha() + 1);
    let score = qsearch::<NonPv>(worker, node.position, window, node.ply, QuietChecks::With)?;
    Ok((score <= node.alpha() && !score.is_decisive()).then_some(score))
}

/// Late move pruning (LMP), also called move-count pruning: at low depth, quiet moves late in a
/// good ordering are skipped. `tried` counts the moves so far.
pub(crate) fn late_move(node: &Node<'_>, depth: i32, tried: i32) -> bool {
    let allowed = params::late_move_pruning::base() + depth * depth;
    let allowed = if node.improving { allowed } else { allowed / 2 };
    depth <= params::late_move_pruning::depth() && tried >= allowed
}

/// Futility pruning (FP): the evaluation is so far below alpha that a quiet move at this reduced
/// depth will not reach it. Not in check, where there is no evaluation.
pub(crate) fn futility(node: &Node<'_>, alpha: Score, depth: i32, history: i32) -> bool {
    let margin = params::futility::base()
        + params::futility::margin() * depth
        + history / params::futility::history_divisor();
    depth <= params::futility::depth()
        && node.static_eval.is_some_and(|eval| {
            let correction = (eval.corrected - i32::from(eval.raw)).abs();
            let margin = margin + correction * params::futility::correction() / 128;
            eval.corrected + margin <= alpha.raw()
        })
}

/// History pruning: at low reduced depth, quiet moves with a bad history score are skipped.
pub(crate) fn history(depth: i32, history: i32) -> bool {
    depth <= params::history_pruning::depth()
        && history < -params::history_pruning::margin() * depth.max(1)
}

/// SEE pruning: a move is skipped if its static exchange evaluation (SEE) says that it loses
/// more than its depth can win back. For quiet moves, `depth` is the reduced depth.
#[inline]
pub(crate) fn see(position: &Position, mv: Move, depth: i32, noisy: bool) -> bool {
    let threshold = if noisy {
        -params::see_pruning::noisy_margin() * depth
    } else {
        -params::see_pruning::quiet_margin() * depth * depth
    };
    depth <= params::see_pruning::depth() && !engine::see_ge(position, mv, threshold, &see_values())
}
