//! What a finished node teaches the histories.

use crate::history::continuation::Arrival;
use crate::history::{bonus, malus};
use crate::node::Node;
use crate::score::{Bound, Score};
use crate::worker::Worker;
use movegen::Move;

/// Moves that were tried at a node, kept as far as anybody wants to know.
#[derive(Debug)]
pub(crate) struct Tried {
    moves: [Option<Move>; Self::MOST],
    len: usize,
}

impl Tried {
    const MOST: usize = 32;

    pub(crate) fn new() -> Self {
        Self {
            moves: [None; Self::MOST],
            len: 0,
        }
    }

    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().copied().flatten()
    }
}

/// A move failed high: it gains, the moves tried before it lose.
pub(crate) fn cutoff(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    best: Move,
    quiets: &Tried,
    noisies: &Tried,
) {
    let (gain, loss) = (bonus(node.depth), malus(node.depth));
    if node.position.is_noisy(best) {
        worker.histories.capture.update(node.position, best, gain);
    } else {
        worker.stack.at_mut(node.ply).killer = Some(best);
        quiet(worker, node, best, gain);
        for mv in quiets.iter().filter(|&mv| mv != best) {
            quiet(worker, node, mv, loss);
        }
    }
    for mv in noisies.iter().filter(|&mv| mv != best) {
        worker.histories.capture.update(node.position, mv, loss);
    }
}

fn quiet(worker: &mut Worker<'_>, node: &Node<'_>, mv: Move, bonus: i32) {
    let position = node.position;
    let arrival = Arrival::of(position, mv);
    let histories = &mut *worker.histories;
    histories
        .quiet
        .update(position.side_to_move(), node.lookout.threats.all, mv, bonus);
    histories
        .continuation
        .update(&node.lookout.before, arrival, bonus);
    histories.pawn.update(position, arrival, bonus);
}

/// The search's value against the evaluation. Learnt only where they can be compared: not in
/// check, not from captures, not where a bound says nothing new.
pub(crate) fn correction(
    worker: &mut Worker<'_>,
    node: &Node<'_>,
    best: Option<Move>,
    score: Score,
    bound: Bound,
) {
    let Some(evaluation) = node.evaluation else {
        return;
    };
    let evaluated = Score::eval(evaluation.corrected);
    let noisy = best.is_some_and(|mv| node.position.is_noisy(mv));
    let nothing_new = (bound == Bound::Lower && score <= evaluated)
        || (bound == Bound::Upper && score >= evaluated);
    if noisy || nothing_new || score.is_decisive() {
        return;
    }
    let last = worker
        .stack
        .before(node.ply, 1)
        .and_then(|frame| frame.arrival);
    let before_it = worker
        .stack
        .before(node.ply, 2)
        .and_then(|frame| frame.arrival);
    let error = score - evaluated;
    worker
        .histories
        .corrections
        .learn(node.position, last, before_it, error, node.depth);
}
