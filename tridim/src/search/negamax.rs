//! Alpha-beta with a null window for all moves but the first, and quiescence below it.
//!
//! A choice for a waiting pawn leaves the turn where it is: its score is not turned around and
//! costs no depth.

use super::evaluate::evaluate;
use super::order::{Memory, gain, material};
use super::score::Score;
use super::table::{Bound, Known, Table};
use crate::mv::Move;
use crate::position::Position;
use movegen::FIFTY_MOVE_PLIES;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Beyond this nobody looks, whatever extensions would allow.
const FURTHEST_PLY: u32 = 100;
/// Captures are followed so far beyond the last full ply.
const FURTHEST_CAPTURE: u32 = 12;
/// What a capture may bring beyond what it takes, when it is followed.
const HOPE: i32 = 250;
/// How often a thread tells the others what it has counted, and asks whether to stop.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// What all threads of a search share.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) stop: &'a AtomicBool,
    pub(super) nodes: AtomicU64,
    pub(super) most_nodes: u64,
}

/// One thread's search of one root move or of none.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    memory: Memory,
    /// The keys of the game and of the moves above, the latest last.
    path: Vec<u64>,
    nodes: u64,
}

/// The scores between which the answer matters.
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

    /// Asks only whether a score is above this.
    pub(super) const fn above(alpha: Score) -> Self {
        Self {
            alpha,
            beta: alpha.plus_one(),
        }
    }

    fn turned(self) -> Self {
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
            memory: Memory::new(),
            path,
            nodes: 0,
        }
    }

    /// `None` when the search has been stopped.
    fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes >= NODES_BETWEEN_LOOKS {
            self.report();
            let searched = self.shared.nodes.load(Ordering::Relaxed);
            if self.shared.stop.load(Ordering::Relaxed) || searched >= self.shared.most_nodes {
                return None;
            }
        }
        Some(())
    }

    /// Tells the others what has been counted here.
    pub(super) fn report(&mut self) {
        self.shared.nodes.fetch_add(self.nodes, Ordering::Relaxed);
        self.nodes = 0;
    }

    /// The score of a move, from the view of the side that plays it.
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
        let score = if next.turn() == position.turn() {
            self.negamax(&next, depth + 1, ply + 1, window, line)
        } else {
            self.negamax(&next, depth, ply + 1, window.turned(), line)
                .map(|score| -score)
        };
        self.path.pop();
        score
    }

    /// Whether the position has been there before, or may be claimed to be a draw.
    fn is_draw(&self, position: &Position, key: u64) -> bool {
        let clock = position.halfmove_clock();
        let reversible = usize::from(clock);
        position.is_bare_kings()
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
            self.count()?;
            return Some(Score::DRAW);
        }
        let in_check = position.in_check();
        let depth = depth + u32::from(in_check);
        if depth == 0 || ply >= FURTHEST_PLY {
            return self.quiescence(position, ply, FURTHEST_CAPTURE, window);
        }
        self.count()?;
        let known = self.shared.table.probe(key, ply);
        if let Some(known) = known
            && known.depth >= depth
            && window.beta <= window.alpha.plus_one()
        {
            let settles = match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => known.score >= window.beta,
                Bound::AtMost => known.score <= window.alpha,
            };
            if settles {
                return Some(known.score);
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(match in_check {
                true => Score::mated(ply),
                false => Score::DRAW,
            });
        }
        let first = known.map(|known| known.best);
        let order = self.memory.sort(position, &moves, first, ply);
        self.try_moves(position, &moves, &order, depth, ply, window, line)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the inside of a node, parted for reading"
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
        let mut below = Vec::new();
        for (tried, &place) in order.iter().enumerate() {
            let Some(&mv) = moves.get(place) else {
                continue;
            };
            let rest = Window {
                alpha,
                beta: window.beta,
            };
            let mut score = Score::INFINITE;
            if tried > 0 {
                let narrow = Window::above(alpha);
                score = self.score_of(position, mv, depth - 1, ply, narrow, &mut below)?;
            }
            if tried == 0 || score > alpha && score < window.beta {
                score = self.score_of(position, mv, depth - 1, ply, rest, &mut below)?;
            }
            if score > best.0 {
                best = (score, place);
            }
            if score > alpha {
                alpha = score;
                line.clear();
                line.push(mv);
                line.append(&mut below);
            }
            if score >= window.beta {
                if gain(position, mv).is_none() {
                    self.memory.refuted(position, mv, ply, depth);
                }
                break;
            }
        }
        let (score, best) = best;
        let bound = if score >= window.beta {
            Bound::AtLeast
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        let known = Known {
            score,
            depth,
            bound,
            best,
        };
        self.shared.table.store(position.key(), ply, known);
        Some(score)
    }

    /// Follows captures and promotions, and every answer to a check, until all is quiet.
    fn quiescence(
        &mut self,
        position: &Position,
        ply: u32,
        left: u32,
        window: Window,
    ) -> Option<Score> {
        self.count()?;
        let in_check = position.in_check();
        let mut best = -Score::INFINITE;
        let moves = if in_check && left > 0 {
            position.legal_moves()
        } else {
            best = evaluate(position);
            if best >= window.beta || left == 0 {
                return Some(best);
            }
            position.noisy_moves()
        };
        if in_check && moves.is_empty() && left > 0 {
            return Some(Score::mated(ply));
        }
        let mut alpha = window.alpha.max(best);
        let quiet = best;
        for place in self.memory.sort(position, &moves, None, ply) {
            let Some(&mv) = moves.get(place) else {
                continue;
            };
            // What it wins, and something for the better squares, would not be enough.
            if !in_check && quiet.plus(material(position, mv) + HOPE) <= alpha {
                continue;
            }
            let next = position.play_unchecked(mv);
            let rest = Window {
                alpha,
                beta: window.beta,
            };
            let score = if next.turn() == position.turn() {
                self.quiescence(&next, ply + 1, left - 1, rest)?
            } else {
                -self.quiescence(&next, ply + 1, left - 1, rest.turned())?
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
