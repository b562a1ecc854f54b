//! Principal variation search (negamax) and quiescence search.
//!
//! The promotion of a waiting pawn does not pass the turn: its score is not negated, and it
//! counts neither as depth nor as a ply.

use std::time::Instant;

use movegen::{FIFTY_MOVE_PLIES, GamePosition};

use super::eval::evaluate;
use super::history::{History, material_gain, mvv_lva};
use super::score::Score;
use super::tt::{Bound, TranspositionTable, TtEntry};
use crate::moves::Move;
use crate::position::Position;

/// Maximum distance from the root, extensions included.
const MAX_PLY: u32 = 100;
/// Maximum length of a capture sequence in quiescence search.
const MAX_QUIESCENCE_PLY: u32 = 12;
/// Delta pruning: what a capture may gain beyond the captured material.
const DELTA_MARGIN: i32 = 250;
/// The number of nodes after which a thread tests the limits again.
const NODES_PER_CHECK: u64 = 1024;

/// State shared by all threads of a search.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) is_stopped: &'a (dyn Fn() -> bool + Sync),
    pub(super) deadline: Option<Instant>,
}

/// The search of one root move on one thread.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    history: History,
    /// Keys of the game and of the current line, the latest last.
    path: Vec<u64>,
    nodes: u64,
}

/// Alpha and beta.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Self = Self {
        alpha: Score::INFINITE.negated(),
        beta: Score::INFINITE,
    };

    /// A null window above `alpha`.
    pub(super) const fn above(alpha: Score) -> Self {
        Self {
            alpha,
            beta: alpha.plus_one(),
        }
    }

    fn negated(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, path: Vec<u64>) -> Self {
        Self {
            shared,
            history: History::new(),
            path,
            nodes: 0,
        }
    }

    /// Counts a node; `None` when the search is stopped.
    fn count_node(&mut self) -> Option<()> {
        let is_over = self.nodes.is_multiple_of(NODES_PER_CHECK)
            && ((self.shared.is_stopped)()
                || self.shared.deadline.is_some_and(|at| at <= Instant::now()));
        self.nodes += 1;
        (!is_over).then_some(())
    }

    /// Searches a move; the score is from the point of view of the side that plays it.
    pub(super) fn score_of(
        &mut self,
        position: &Position,
        mv: Move,
        depth: u32,
        ply: u32,
        window: Window,
        line: &mut Vec<Move>,
    ) -> Option<Score> {
        let next = position.play_unchecked(mv);
        self.path.push(position.key());
        let score = if next.side_to_move() == position.side_to_move {
            self.negamax(&next, depth + 1, ply, window, line)
        } else {
            self.negamax(&next, depth, ply + 1, window.negated(), line)
                .map(|score| -score)
        };
        self.path.pop();
        score
    }

    /// True if the position repeats an earlier one or is a draw that may be claimed.
    fn is_draw(&self, position: &Position, key: u64) -> bool {
        let clock = position.halfmove_clock();
        let reversible = usize::from(clock);
        position.is_insufficient_material()
            || clock >= FIFTY_MOVE_PLIES && position.has_moves()
            || self
                .path
                .iter()
                .rev()
                .take(reversible)
                .any(|&past| past == key)
    }

    fn negamax(
        &mut self,
        position: &Position,
        depth: u32,
        ply: u32,
        window: Window,
        line: &mut Vec<Move>,
    ) -> Option<Score> {
        line.clear();
        let key = position.key();
        if self.is_draw(position, key) {
            self.count_node()?;
            return Some(Score::DRAW);
        }
        let in_check = position.in_check();
        let depth = depth + u32::from(in_check);
        if depth == 0 || ply >= MAX_PLY {
            return self.quiescence(position, ply, MAX_QUIESCENCE_PLY, window);
        }
        self.count_node()?;
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry
            && entry.depth >= depth
            && window.beta <= window.alpha.plus_one()
        {
            let is_cutoff = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= window.beta,
                Bound::Upper => entry.score <= window.alpha,
            };
            if is_cutoff {
                return Some(entry.score);
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if in_check {
                Score::mated(ply)
            } else {
                Score::DRAW
            });
        }
        let first = entry.map(|entry| entry.best);
        let order = self.history.sort(position, &moves, first, ply);
        self.try_moves(position, &moves, &order, depth, ply, window, line)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the move loop of a node, split off for readability"
    )]
    fn try_moves(
        &mut self,
        position: &Position,
        moves: &[Move],
        order: &[usize],
        depth: u32,
        ply: u32,
        window: Window,
        line: &mut Vec<Move>,
    ) -> Option<Score> {
        let mut alpha = window.alpha;
        let mut best = (-Score::INFINITE, 0);
        let mut child_line = Vec::new();
        for (tried, &index) in order.iter().enumerate() {
            let Some(&mv) = moves.get(index) else {
                continue;
            };
            let full_window = Window {
                alpha,
                beta: window.beta,
            };
            let mut score = Score::INFINITE;
            if tried > 0 {
                let null_window = Window::above(alpha);
                score =
                    self.score_of(position, mv, depth - 1, ply, null_window, &mut child_line)?;
            }
            if tried == 0 || score > alpha && score < window.beta {
                score =
                    self.score_of(position, mv, depth - 1, ply, full_window, &mut child_line)?;
            }
            if score > best.0 {
                best = (score, index);
            }
            if score > alpha {
                alpha = score;
                line.clear();
                line.push(mv);
                line.append(&mut child_line);
            }
            if score >= window.beta {
                if mvv_lva(position, mv).is_none() {
                    self.history.update(position, mv, ply, depth);
                }
                break;
            }
        }
        let (score, best) = best;
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TtEntry {
            score,
            depth,
            bound,
            best,
        };
        self.shared.table.store(position.key(), ply, entry);
        Some(score)
    }

    /// Quiescence search: captures and promotions, and all evasions when in check.
    fn quiescence(
        &mut self,
        position: &Position,
        ply: u32,
        plies_left: u32,
        window: Window,
    ) -> Option<Score> {
        self.count_node()?;
        let in_check = position.in_check();
        let mut best = -Score::INFINITE;
        let moves = if in_check && plies_left > 0 {
            position.legal_moves()
        } else {
            best = evaluate(position);
            if best >= window.beta || plies_left == 0 {
                return Some(best);
            }
            position.tactical_moves()
        };
        if in_check && moves.is_empty() && plies_left > 0 {
            return Some(Score::mated(ply));
        }
        let mut alpha = window.alpha.max(best);
        let stand_pat = best;
        for index in self.history.sort(position, &moves, None, ply) {
            let Some(&mv) = moves.get(index) else {
                continue;
            };
            // Delta pruning.
            if !in_check && stand_pat.plus(material_gain(position, mv) + DELTA_MARGIN) <= alpha {
                continue;
            }
            let next = position.play_unchecked(mv);
            let full_window = Window {
                alpha,
                beta: window.beta,
            };
            let score = if next.side_to_move() == position.side_to_move {
                self.quiescence(&next, ply, plies_left - 1, full_window)?
            } else {
                -self.quiescence(&next, ply + 1, plies_left - 1, full_window.negated())?
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        Some(best)
    }
}
