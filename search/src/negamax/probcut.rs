//! ProbCut: a capture that beats beta by a margin in a much shallower search will very probably
//! beat beta in the full one.

use super::negamax;
use crate::movepick::{MovePicker, QuietChecks};
use crate::node::Node;
use crate::params::{probcut, see_values};
use crate::qsearch::qsearch;
use crate::score::{Bound, Score};
use crate::thread::{Stopped, Worker};
use crate::tt::{TtWrite, key};
use crate::window::{NonPv, Window};
use movegen::engine;

/// The reduction of the search that verifies the result of the quiescence search.
const REDUCTION: i32 = 4;

/// The node's score if it can be pruned.
pub(super) fn prune(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    depth: i32,
) -> Result<Option<Score>, Stopped> {
    let margin = probcut::margin() - probcut::improving() * i32::from(node.improving);
    let beta = node.beta() + margin;
    let Some(eval) = node.static_eval else {
        return Ok(None);
    };
    if !applies(node, depth, beta) {
        return Ok(None);
    }
    let above = (node.eval - beta).clamp(0, 900) * probcut::above_beta() / (300 * 1024);
    let reduction = REDUCTION + above;
    let position = node.position;
    let threshold = beta.raw() - eval.corrected;
    let tt_move = node.tt_move.filter(|&mv| {
        position.is_noisy(mv) && engine::see_ge(position, mv, threshold, &see_values())
    });
    let mut picker = MovePicker::noisy(tt_move, threshold, QuietChecks::Without, worker.moves);
    let mut found = None;
    while let Some(mv) = picker.next(position, worker.histories, worker.moves) {
        let mut child = *position;
        child.make_unchecked(mv);
        worker.record_move(position, &child, mv, node.ply);
        let (window, ply) = (Window::null(beta).flipped(), node.ply + 1);
        let mut score = -qsearch::<NonPv>(worker, &child, window, ply, QuietChecks::Without)?;
        if score >= beta && depth > reduction {
            let depth = depth - reduction;
            score = -negamax::<NonPv>(worker, &child, window, depth, ply, !node.cut_node)?;
        }
        worker.undo_move();
        if score >= beta {
            found = Some((mv, score));
            break;
        }
    }
    picker.finish(worker.moves);
    let Some((mv, score)) = found else {
        return Ok(None);
    };
    let write = TtWrite {
        mv: Some(mv),
        score,
        eval: Some(eval.raw),
        depth: depth - reduction + 1,
        bound: Bound::Lower,
        pv: node.tt_pv,
    };
    worker.shared.tt.store(key(position), node.ply, write);
    Ok((!score.is_decisive()).then(|| score - margin))
}

fn applies(node: &Node<'_>, depth: i32, beta: Score) -> bool {
    // Not where the TT already says that the value is below.
    let known_below = node
        .tt_entry
        .zip(node.tt_score)
        .is_some_and(|(entry, score)| entry.depth > depth - REDUCTION && score < beta);
    depth >= probcut::depth() && !node.beta().is_decisive() && !beta.is_decisive() && !known_below
}
