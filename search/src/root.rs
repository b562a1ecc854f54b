//! The root moves: which are searched, their scores and lines, and their order.

use crate::limits::Limits;
use crate::score::{Bound, Score};
use crate::syzygy::root::{TbRank, TbRanking};
use movegen::{Move, Position};
use std::cmp::Reverse;

#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// By the tablebases.
    pub(crate) rank: TbRank,
    /// By the tablebases, or a draw if the game has ended in one.
    pub(crate) known_score: Option<Score>,
    /// In the current iteration; minus infinity if it did not raise alpha.
    pub(crate) score: Score,
    /// The last score of an earlier iteration.
    pub(crate) last_score: Score,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    /// Nodes spent on it in the whole search.
    pub(crate) nodes: u64,
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    /// The known score if there is one, unless the search found a mate with the same result.
    pub(crate) fn reported_score(&self) -> (Score, Bound) {
        let known = self.score != Score::MINUS_INFINITE;
        match self.known_score {
            Some(score) if !(known && self.score.is_mate() && self.score.agrees(score)) => {
                (score, Bound::Exact)
            }
            _ => (self.score, self.bound),
        }
    }
}

/// The legal moves, restricted to `searchmoves` if given.
pub(crate) fn allowed(position: &Position, limits: &Limits) -> Vec<Move> {
    let wanted = |mv: &&Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    let legal = position.legal_moves();
    legal.iter().filter(wanted).copied().collect()
}

/// The root moves, by rank and then by score.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    /// The line that is searched (MultiPV); those before it are finished in this iteration.
    pub(crate) line: usize,
    /// Some legal moves are missing.
    pub(crate) is_restricted: bool,
    /// The last move of the first line that failed high in this iteration, until its re-search is
    /// finished.
    failed_high: Option<RootMove>,
}

impl RootMoves {
    /// `drawn`: the score of every move, if the game has ended in a draw.
    pub(crate) fn new(
        position: &Position,
        limits: &Limits,
        ranking: Option<&TbRanking>,
        drawn: Option<Score>,
    ) -> Self {
        let ranked = |mv| ranking.and_then(|ranking| ranking.of(mv));
        let mut moves: Vec<RootMove> = allowed(position, limits)
            .into_iter()
            .map(|mv| RootMove {
                mv,
                rank: ranked(mv).map_or(TbRank::UNKNOWN, |ranked| ranked.rank),
                known_score: drawn.or_else(|| ranked(mv)?.score),
                score: Score::MINUS_INFINITE,
                last_score: Score::MINUS_INFINITE,
                bound: Bound::Exact,
                selective_depth: 0,
                nodes: 0,
                pv: vec![mv],
            })
            .collect();
        moves.sort_by_key(|root| Reverse(root.rank));
        Self {
            is_restricted: moves.len() < position.legal_moves().len(),
            moves,
            line: 0,
            failed_high: None,
        }
    }

    /// True if the current line may start with a move.
    pub(crate) fn is_open(&self, mv: Move) -> bool {
        let mut rest = self.moves.iter().skip(self.line);
        let rank = self.best().map(|best| best.rank);
        rest.any(|root| root.mv == mv && Some(root.rank) == rank)
    }

    /// There is only one move to choose from.
    pub(crate) fn is_forced(&self) -> bool {
        let rank = self.best().map(|best| best.rank);
        let equals = self.moves.iter().skip(self.line);
        let equals = equals.filter(|root| Some(root.rank) == rank);
        equals.count() == 1 && self.slower_wins().is_none()
    }

    pub(crate) fn find(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.moves.iter_mut().find(|root| root.mv == mv)
    }

    /// The bound for the position that one for the moves searched is: the best of some moves is a
    /// lower bound, the best of the others none.
    pub(crate) fn bound_of_position(&self, bound: Bound) -> Option<Bound> {
        match bound {
            _ if self.line > 0 => None,
            Bound::Upper if self.is_restricted => None,
            _ if self.is_restricted => Some(Bound::Lower),
            _ => Some(bound),
        }
    }

    /// The best move of the current line.
    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.moves.get(self.line)
    }

    /// Remembers the best move, which failed high: it is searched again, and its score forgotten.
    pub(crate) fn record_fail_high(&mut self) {
        if self.line == 0 {
            self.failed_high = self.moves.first().cloned();
        }
    }

    /// The best move of an iteration that was stopped, if it may be played: one with an exact
    /// score or a lower bound. Not a loss: unsearched moves may hold out longer.
    pub(crate) fn best_of_stopped(&self) -> Option<&RootMove> {
        let playable = |root: &&RootMove| !root.score.is_loss() && root.bound != Bound::Upper;
        let mut candidates = self.best().into_iter().chain(&self.failed_high);
        candidates.find(playable)
    }

    /// Starts an iteration: the scores become the last ones.
    pub(crate) fn begin_iteration(&mut self) {
        self.failed_high = None;
        for root in &mut self.moves {
            if root.score != Score::MINUS_INFINITE {
                root.last_score = root.score;
            }
        }
    }

    /// Starts a search of the current line.
    pub(crate) fn begin_line(&mut self) {
        for root in self.moves.iter_mut().skip(self.line) {
            root.score = Score::MINUS_INFINITE;
        }
    }

    /// Sorts the moves from the current line on; equal ones keep their order.
    pub(crate) fn sort_rest(&mut self) {
        if let Some(rest) = self.moves.get_mut(self.line..) {
            rest.sort_by_key(|root| Reverse((root.rank, root.score, root.last_score)));
        }
    }

    /// The first of the moves that win by the tablebases, but not with the smallest DTZ.
    pub(crate) fn slower_wins(&self) -> Option<usize> {
        self.moves.iter().position(|root| root.rank.is_slower_win())
    }

    /// After a search of the moves from the current line on for mates only: moves that mate get
    /// the first rank, the scores of the others are void.
    pub(crate) fn promote_mates(&mut self) {
        let first = self
            .moves
            .first()
            .map_or(TbRank::UNKNOWN, |first| first.rank);
        for root in self.moves.iter_mut().skip(self.line) {
            if root.score.is_mate() && root.score.is_win() && root.bound != Bound::Upper {
                root.rank = first;
            } else {
                root.score = Score::MINUS_INFINITE;
            }
        }
        self.line = 0;
        self.sort_rest();
    }

    /// Sorts the finished lines and the current one.
    pub(crate) fn sort_finished(&mut self) {
        if let Some(finished) = self.moves.get_mut(..=self.line) {
            finished.sort_by_key(|root| Reverse((root.rank, root.reported_score().0, root.score)));
        }
    }
}
