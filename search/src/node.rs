//! The facts about a node: found before any technique reads them, and never changed. The depth is
//! not one of them: `negamax` adjusts it as it goes.

use crate::eval::StaticEval;
use crate::score::{Bound, Score};
use crate::stack::Stack;
use crate::tt::TtEntry;
use crate::window::{NodeType, Window};
use movegen::{Move, Position};

#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) position: &'a Position,
    pub(crate) ply: usize,
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
    pub(crate) fn new<NT: NodeType>(
        stack: &Stack,
        position: &'a Position,
        window: Window,
        ply: usize,
        cut_node: bool,
        tt_entry: Option<TtEntry>,
        static_eval: Option<StaticEval>,
    ) -> Self {
        let entry = stack.at(ply);
        let corrected = static_eval.map(|eval| eval.corrected);
        let tt_bound = tt_entry.map(|entry| entry.bound);
        let tt_score = tt_entry.and_then(|entry| entry.score_at(position, ply));
        Self {
            position,
            ply,
            window,
            pv: NT::PV,
            cut_node,
            in_check: entry.in_check,
            excluded: entry.excluded,
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
            improving: improving(stack, ply, corrected),
            killer: entry.killer,
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

/// Improving: the static evaluation rose since two plies ago, or four where that was in check.
fn improving(stack: &Stack, ply: usize, eval: Option<i32>) -> bool {
    let earlier = |plies| stack.before(ply, plies).and_then(|entry| entry.eval);
    match (eval, earlier(2).or_else(|| earlier(4))) {
        (Some(eval), Some(before)) => eval > before,
        (Some(_), None) => true,
        (None, _) => false,
    }
}
