//! ProbCut: a capture that beats beta by a margin in a much shallower search will very
//! probably beat beta in the full one.

use crate::movepick::MovePicker;
use crate::negamax::negamax;
use crate::node::Node;
use crate::params::probcut as numbers;
use crate::qsearch::qsearch;
use crate::score::{Bound, Score};
use crate::tt::{Note, key};
use crate::window::{Scout, Window};
use crate::worker::Worker;

/// A search this much shallower has to confirm what quiescence found.
const REDUCTION: i32 = 4;

/// `None` outside when the search is stopped, inside when the node must be searched.
pub(crate) fn cut(worker: &mut Worker<'_>, node: &Node<'_>) -> Option<Option<Score>> {
    let raised = node.beta() + numbers::margin();
    if !applies(node, raised) {
        return Some(None);
    }
    let Some(evaluation) = node.evaluation else {
        return Some(None);
    };
    let position = node.position;
    let threshold = raised.raw() - evaluation.corrected;
    let table_move = node.table_move.filter(|&mv| {
        position.is_noisy(mv) && position.see_ge(mv, threshold, &crate::params::exchange_values())
    });
    let mut picker = MovePicker::noisy(table_move, threshold, worker.moves);
    let mut found = None;
    while let Some(mv) = picker.next(position, worker.histories, &node.lookout, worker.moves) {
        let next = worker.play(position, mv, node.ply);
        let window = Window::below(raised).flipped();
        let mut score = -qsearch::<Scout>(worker, &next, window, node.ply + 1)?;
        if score >= raised && node.depth > REDUCTION {
            let depth = node.depth - REDUCTION;
            score = -negamax::<Scout>(worker, &next, window, depth, node.ply + 1, !node.cut)?;
        }
        worker.take_back();
        if score >= raised {
            found = Some((mv, score));
            break;
        }
    }
    picker.finish(worker.moves);
    let Some((mv, score)) = found else {
        return Some(None);
    };
    let note = Note {
        mv: Some(mv),
        score,
        eval: Some(evaluation.raw as i16),
        depth: node.depth - REDUCTION + 1,
        bound: Some(Bound::Lower),
        pv: node.table_pv,
    };
    worker.shared.table.store(key(position), node.ply, note);
    Some((!score.is_decisive()).then(|| score - numbers::margin()))
}

fn applies(node: &Node<'_>, raised: Score) -> bool {
    // Where the table already says that the value is below, there is nothing to find.
    let known_below = node
        .hit
        .zip(node.table_score)
        .is_some_and(|(hit, score)| hit.depth > node.depth - REDUCTION && score < raised);
    numbers::enabled() != 0
        && node.depth >= numbers::depth()
        && !node.beta().is_decisive()
        && !raised.is_decisive()
        && !known_below
}
