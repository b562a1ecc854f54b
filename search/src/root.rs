//! The moves of the root: which are allowed, what each came to, and its line.

use crate::limits::Limits;
use crate::score::{Bound, Score};
use crate::tablebase::ranking::{Rank, Ranking};
use movegen::{Move, Position};
use std::cmp::Reverse;

#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Where the endgame tables put it.
    pub(crate) rank: Rank,
    /// What they say it is worth.
    pub(crate) table_score: Option<Score>,
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

impl RootMove {
    /// Its value as it is reported: what the endgame tables know, but for a mate found on top.
    pub(crate) fn told(&self) -> (Score, Bound) {
        let known = self.score != Score::MINUS_INFINITE;
        match self.table_score {
            Some(score) if !(known && self.score.is_mate() && self.score.agrees(score)) => {
                (score, Bound::Exact)
            }
            _ => (self.score, self.bound),
        }
    }
}

/// The legal moves, or those of them that were asked for.
pub(crate) fn allowed(position: &Position, limits: &Limits) -> Vec<Move> {
    let wanted = |mv: &&Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    let legal = position.legal_moves();
    legal.iter().filter(wanted).copied().collect()
}

/// All allowed root moves, those of the highest rank first, and of these the best.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    /// Lines before this one are settled in this iteration (several lines were wanted).
    pub(crate) line: usize,
}

impl RootMoves {
    pub(crate) fn new(position: &Position, limits: &Limits, ranking: Option<&Ranking>) -> Self {
        let ranked = |mv| ranking.and_then(|ranking| ranking.of(mv));
        let mut moves: Vec<RootMove> = allowed(position, limits)
            .into_iter()
            .map(|mv| RootMove {
                mv,
                rank: ranked(mv).map_or(Rank::UNKNOWN, |ranked| ranked.rank),
                table_score: ranked(mv).and_then(|ranked| ranked.score),
                score: Score::MINUS_INFINITE,
                last_score: Score::MINUS_INFINITE,
                bound: Bound::Exact,
                selective_depth: 0,
                nodes: 0,
                pv: vec![mv],
            })
            .collect();
        moves.sort_by_key(|root| Reverse(root.rank));
        Self { moves, line: 0 }
    }

    /// Whether a move may be looked at for the line being searched.
    pub(crate) fn open(&self, mv: Move) -> bool {
        let mut rest = self.moves.iter().skip(self.line);
        let rank = self.best().map(|best| best.rank);
        rest.any(|root| root.mv == mv && Some(root.rank) == rank)
    }

    /// There is nothing to choose, and nothing to hope for elsewhere.
    pub(crate) fn forced(&self) -> bool {
        let rank = self.best().map(|best| best.rank);
        let equals = self.moves.iter().skip(self.line);
        let equals = equals.filter(|root| Some(root.rank) == rank);
        equals.count() == 1 && self.hopefuls().is_none()
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
            open.sort_by_key(|root| Reverse((root.rank, root.score, root.last_score)));
        }
    }

    /// Where those moves begin that win by what the tables say, but not by their nearest step.
    pub(crate) fn hopefuls(&self) -> Option<usize> {
        self.moves.iter().position(|root| root.rank.is_hopeful())
    }

    /// What a search of the moves from the present line on for nothing but mates came to: a
    /// mate makes a move one of the first, and of the others nothing is known.
    pub(crate) fn lift_mates(&mut self) {
        let first = self.moves.first().map_or(Rank::UNKNOWN, |first| first.rank);
        for root in self.moves.iter_mut().skip(self.line) {
            if root.score.is_mate() && root.score.is_win() && root.bound != Bound::Upper {
                root.rank = first;
            } else {
                root.score = Score::MINUS_INFINITE;
            }
        }
        self.line = 0;
        self.sort_open();
    }

    /// Sorts the lines settled so far.
    pub(crate) fn sort_settled(&mut self) {
        if let Some(settled) = self.moves.get_mut(..=self.line) {
            settled.sort_by_key(|root| Reverse((root.rank, root.told().0, root.score)));
        }
    }
}
