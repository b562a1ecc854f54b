//! The facts about a node: found once, before any technique reads them, and never changed.

use crate::params;
use crate::score::{Bound, Score};
use crate::thread::{StaticEval, Worker};
use crate::tt::TtEntry;
use crate::window::{NodeType, Window};
use movegen::{Move, Position};

#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) position: &'a Position,
    pub(crate) ply: usize,
    /// The depth the node was called with, adjusted in hindsight.
    pub(crate) depth: i32,
    /// The window before any move is searched.
    pub(crate) window: Window,
    pub(crate) pv: bool,
    /// The node is expected to fail high.
    pub(crate) cut_node: bool,
    pub(crate) in_check: bool,
    /// The move a singular search of this node leaves out.
    pub(crate) excluded: Option<Move>,
    pub(crate) tt_entry: Option<TtEntry>,
    /// The stored score, with mates counted from this root.
    pub(crate) tt_score: Option<Score>,
    /// The stored move, if it is legal.
    pub(crate) tt_move: Option<Move>,
    /// The node is, or once was, on a principal variation.
    pub(crate) tt_pv: bool,
    /// None in check.
    pub(crate) static_eval: Option<StaticEval>,
    /// The TT-adjusted eval: the static evaluation, or the TT score where its bound is tighter.
    pub(crate) eval: Score,
    /// The static evaluation is better than two plies ago.
    pub(crate) improving: bool,
    /// The killer move of this ply.
    pub(crate) killer: Option<Move>,
}

impl<'a> Node<'a> {
    /// Evaluates a position and prepares the stack's entries of the node and its descendants.
    pub(crate) fn new<NT: NodeType>(
        worker: &mut Worker<'_>,
        position: &'a Position,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
        tt_entry: Option<TtEntry>,
    ) -> Self {
        let in_check = position.in_check();
        let tt_bound = tt_entry.map(|entry| entry.bound);
        let tt_score = tt_entry.and_then(|entry| entry.score_at(position, ply));
        let static_eval = (!in_check)
            .then(|| worker.static_eval(position, ply, tt_entry.and_then(|entry| entry.eval)));
        let corrected = static_eval.map(|eval| eval.corrected);
        let double_extensions = worker
            .stack
            .before(ply, 1)
            .map_or(0, |entry| entry.double_extensions);
        let depth = depth + hindsight(worker, ply, depth, corrected);
        let entry = worker.stack.at_mut(ply);
        entry.eval = corrected;
        entry.double_extensions = double_extensions;
        let (excluded, killer) = (entry.excluded, entry.killer);
        worker.stack.at_mut(ply + 1).killer = None;
        worker.stack.at_mut(ply + 2).cutoffs = 0;
        Self {
            position,
            ply,
            depth,
            window,
            pv: NT::PV,
            cut_node,
            in_check,
            excluded,
            tt_entry,
            tt_score,
            tt_move: tt_entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| position.is_legal(mv)),
            tt_pv: NT::PV || tt_entry.is_some_and(|entry| entry.pv),
            static_eval,
            eval: match corrected {
                Some(eval) => tt_adjusted(Score::eval(eval), tt_bound, tt_score),
                None => Score::DRAW,
            },
            improving: improving(worker, ply, corrected),
            killer,
        }
    }

    pub(crate) fn alpha(&self) -> Score {
        self.window.alpha
    }

    pub(crate) fn beta(&self) -> Score {
        self.window.beta
    }

    /// The TT move is a capture or promotion.
    pub(crate) fn tt_move_is_noisy(&self) -> bool {
        self.tt_move.is_some_and(|mv| self.position.is_noisy(mv))
    }

    /// Internal iterative reduction (IIR): PV and cut nodes without a TT move are searched one
    /// ply shallower; the next visit will have a move. Returns the reduction in plies.
    pub(crate) fn internal_iterative_reduction(&self) -> i32 {
        let applies = params::internal_iterative_reduction::enabled() != 0
            && self.depth >= params::internal_iterative_reduction::depth()
            && self.tt_move.is_none()
            && self.excluded.is_none()
            && (self.pv || self.cut_node);
        i32::from(applies)
    }
}

/// The TT score in place of an evaluation, where its bound makes it the better estimate.
pub(crate) fn tt_adjusted(eval: Score, bound: Option<Bound>, score: Option<Score>) -> Score {
    match (bound, score) {
        (Some(bound), Some(score)) if !score.is_decisive() => {
            let better = score > eval && bound.is_lower();
            let worse = score < eval && bound.is_upper();
            if better || worse { score } else { eval }
        }
        _ => eval,
    }
}

/// Hindsight depth adjustment, in plies: the move before was reduced, and the static evaluation
/// now tells whether it deserved that. It was better than it looked: deeper. It made things
/// clearly worse for its side: shallower.
fn hindsight(worker: &mut Worker<'_>, ply: usize, depth: i32, eval: Option<i32>) -> i32 {
    if ply == 0 || worker.stack.at(ply).excluded.is_some() || params::hindsight::enabled() == 0 {
        return 0;
    }
    let parent = worker.stack.at_mut(ply - 1);
    let reduction = std::mem::take(&mut parent.reduction);
    let (Some(before), Some(after)) = (parent.eval, eval) else {
        return 0;
    };
    // Each from its own side to move.
    let loss = before + after;
    if reduction >= params::hindsight::deeper_from() && loss <= 0 {
        1
    } else if reduction >= params::hindsight::shallower_from()
        && depth >= 2
        && loss > params::hindsight::shallower_margin()
    {
        -1
    } else {
        0
    }
}

/// Improving: the static evaluation rose since two plies ago, or four where that was in check.
fn improving(worker: &Worker<'_>, ply: usize, eval: Option<i32>) -> bool {
    let earlier = |plies| worker.stack.before(ply, plies).and_then(|entry| entry.eval);
    match (eval, earlier(2).or_else(|| earlier(4))) {
        (Some(eval), Some(before)) => eval > before,
        (Some(_), None) => true,
        (None, _) => false,
    }
}
