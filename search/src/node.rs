//! The facts about a node, found once and read by every technique.

use crate::movepick::Lookout;
use crate::params;
use crate::score::Score;
use crate::tt::Hit;
use crate::window::Window;
use crate::worker::{Evaluation, Worker};
use movegen::{Move, Position, Threats};

#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) position: &'a Position,
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) window: Window,
    /// On or next to a principal variation, now or when the table last saw it.
    pub(crate) table_pv: bool,
    /// Expected to fail high.
    pub(crate) cut: bool,
    pub(crate) pv: bool,
    pub(crate) in_check: bool,
    pub(crate) hit: Option<Hit>,
    /// The stored value, counted from this root.
    pub(crate) table_score: Option<Score>,
    pub(crate) table_move: Option<Move>,
    /// The static evaluation as computed; none in check.
    pub(crate) evaluation: Option<Evaluation>,
    /// The best guess at the node's value: the evaluation, or the table's if it knows better.
    pub(crate) guess: Score,
    /// The evaluation is better than two plies ago.
    pub(crate) improving: bool,
    pub(crate) excluded: Option<Move>,
    pub(crate) lookout: Lookout,
}

impl<'a> Node<'a> {
    /// Looks at a position, leaving its evaluation in the ply's frame.
    pub(crate) fn look(
        worker: &mut Worker<'_>,
        position: &'a Position,
        ply: usize,
        depth: i32,
        window: Window,
        hit: Option<Hit>,
        (pv, cut): (bool, bool),
    ) -> Self {
        let in_check = position.in_check();
        let excluded = worker.stack.at(ply).excluded;
        let table_score = hit
            .filter(|hit| hit.bound.is_some())
            .and_then(|hit| hit.value(position, ply));
        let evaluation = (!in_check).then(|| match hit.and_then(|hit| hit.eval) {
            Some(raw) => worker.correct(position, ply, i32::from(raw)),
            None => worker.evaluate(position, ply),
        });
        let corrected = evaluation.map(|evaluation| evaluation.corrected);
        worker.stack.at_mut(ply).eval = corrected;
        worker.stack.at_mut(ply + 2).cutoffs = 0;
        worker.stack.at_mut(ply + 1).killer = None;
        let guess = Score::eval(corrected.unwrap_or(0));
        let mut node = Self {
            position,
            ply,
            depth,
            window,
            table_pv: pv || hit.is_some_and(|hit| hit.pv),
            cut,
            pv,
            in_check,
            hit,
            table_score,
            table_move: hit
                .and_then(|hit| hit.mv)
                .filter(|&mv| position.is_legal(mv)),
            evaluation,
            guess,
            improving: improving(worker, ply, corrected),
            excluded,
            lookout: Lookout {
                threats: Threats::default(),
                before: worker.stack.arrivals(ply),
                killer: worker.stack.at(ply).killer,
            },
        };
        node.guess = node.refined(guess);
        node
    }

    /// The table's value in place of the evaluation, where its bound allows.
    fn refined(&self, evaluation: Score) -> Score {
        match (self.hit.and_then(|hit| hit.bound), self.table_score) {
            (Some(bound), Some(score)) if !self.in_check && !score.is_decisive() => {
                let better = score > evaluation && bound.is_lower();
                let worse = score < evaluation && bound.is_upper();
                if better || worse { score } else { evaluation }
            }
            _ => evaluation,
        }
    }

    pub(crate) fn alpha(&self) -> Score {
        self.window.alpha
    }

    pub(crate) fn beta(&self) -> Score {
        self.window.beta
    }

    /// The move from the table takes or promotes.
    pub(crate) fn table_noisy(&self) -> bool {
        self.table_move.is_some_and(|mv| self.position.is_noisy(mv))
    }

    /// No search of any kind has been here: the next iteration will know better.
    pub(crate) fn reduced_for_ignorance(&self) -> i32 {
        let ignorant = params::internal_reduction::enabled() != 0
            && self.depth >= params::internal_reduction::depth()
            && self.table_move.is_none()
            && self.excluded.is_none()
            && (self.pv || self.cut);
        i32::from(ignorant)
    }
}

fn improving(worker: &Worker<'_>, ply: usize, now: Option<i32>) -> bool {
    let earlier = |plies| worker.stack.before(ply, plies).and_then(|frame| frame.eval);
    match (now, earlier(2).or_else(|| earlier(4))) {
        (Some(now), Some(before)) => now > before,
        (Some(_), None) => true,
        (None, _) => false,
    }
}
