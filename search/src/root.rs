//! The moves of the root: which are allowed, what each came to, and its line.

use crate::limits::Limits;
use crate::score::{Bound, Score};
use movegen::{Move, Position};

#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// What it came to in the present iteration; minus infinity when it did not beat another.
    pub(crate) score: Score,
    /// The last exact score, from whichever iteration.
    pub(crate) last_score: Score,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    /// Nodes spent on it in this search.
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Move>,
}

/// All allowed root moves, the best first.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    /// Lines before this one are settled in this iteration (several lines were wanted).
    pub(crate) line: usize,
}

impl RootMoves {
    pub(crate) fn new(position: &Position, limits: &Limits) -> Self {
        let legal = position.legal_moves();
        let wanted =
            |mv: &&Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
        let moves = legal
            .iter()
            .filter(wanted)
            .map(|&mv| RootMove {
                mv,
                score: Score::MINUS_INFINITE,
                last_score: Score::MINUS_INFINITE,
                bound: Bound::Exact,
                selective_depth: 0,
                nodes: 0,
                pv: vec![mv],
            })
            .collect();
        Self { moves, line: 0 }
    }

    /// Whether a move may be looked at for the line being searched.
    pub(crate) fn open(&self, mv: Move) -> bool {
        self.moves.iter().skip(self.line).any(|root| root.mv == mv)
    }

    pub(crate) fn find(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.moves.iter_mut().find(|root| root.mv == mv)
    }

    /// The best move of the line being searched.
    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.moves.get(self.line)
    }

    /// A new iteration: scores become the last ones.
    pub(crate) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            if root.score != Score::MINUS_INFINITE {
                root.last_score = root.score;
            }
        }
    }

    /// A new search of the present line.
    pub(crate) fn begin_line(&mut self) {
        for root in self.moves.iter_mut().skip(self.line) {
            root.score = Score::MINUS_INFINITE;
        }
    }

    /// Sorts the lines not settled yet; equal ones keep their order.
    pub(crate) fn sort_open(&mut self) {
        if let Some(open) = self.moves.get_mut(self.line..) {
            open.sort_by_key(|root| std::cmp::Reverse((root.score, root.last_score)));
        }
    }

    /// Sorts the lines settled so far.
    pub(crate) fn sort_settled(&mut self) {
        if let Some(settled) = self.moves.get_mut(..=self.line) {
            settled.sort_by_key(|root| std::cmp::Reverse(root.score));
        }
    }
}
