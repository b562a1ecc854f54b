//! Whether an attacker mates in so many moves, for certain: the tree of his tries and all
//! replies is grown where it looks easiest to decide (depth-first proof-number search, as
//! Nagai described it), and nothing is left out.
//!
//! Values nothing and knows no other search. A position may be met with fewer moves left than
//! before, never with as many, so that no line comes back to itself.

use super::proof::{Count, ProofNumbers};
use super::short;
use super::table::ProofTable;
use crate::draw;
use movegen::{Color, FIFTY_MOVE_PLIES, Game, Move, Position};

/// When a position is drawn whatever could still be played.
#[derive(Debug)]
pub(super) struct Rules {
    /// What has been on the board twice already.
    twice: Vec<u64>,
    /// The fifty-move rule may end lines of this length.
    clock_matters: bool,
}

impl Rules {
    pub(super) fn of(game: &Game, moves: u8) -> Self {
        let plies = u16::from(moves) * 2;
        Self {
            twice: draw::seen_twice(game),
            clock_matters: game.position().halfmove_clock() + plies > FIFTY_MOVE_PLIES,
        }
    }

    /// Drawn, if it is no mate.
    pub(super) fn drawn(&self, position: &Position) -> bool {
        position.halfmove_clock() >= FIFTY_MOVE_PLIES
            || position.is_insufficient_material()
            || self.twice.contains(&position.key())
    }

    /// Tells positions apart that could end differently.
    pub(super) fn key(&self, position: &Position) -> u64 {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        if self.clock_matters {
            position.key() ^ u64::from(position.halfmove_clock() + 1).wrapping_mul(SPREAD)
        } else {
            position.key()
        }
    }
}

/// One question's attacker, and what has been found out.
pub(super) struct DfPn<'a> {
    pub(super) rules: Rules,
    attacker: Color,
    table: ProofTable,
    pub(super) nodes: u64,
    /// Asked now and then with the nodes so far: whether there is time for more.
    may_continue: &'a dyn Fn(u64) -> bool,
    next_check: u64,
    pause_at: u64,
}

/// A move and how hard the position after it looks to whoever moves there.
#[derive(Clone, Copy)]
struct Branch {
    mv: Move,
    numbers: ProofNumbers,
}

/// With so many moves left everything is tried at once.
pub(super) const SHORT_MOVES: u8 = 2;

impl<'a> DfPn<'a> {
    pub(super) fn new(
        rules: Rules,
        attacker: Color,
        megabytes: usize,
        may_continue: &'a dyn Fn(u64) -> bool,
    ) -> Self {
        Self {
            rules,
            attacker,
            table: ProofTable::new(megabytes),
            nodes: 0,
            may_continue,
            next_check: 0,
            pause_at: u64::MAX,
        }
    }

    /// Gives up, not for good, after so many nodes from here.
    pub(super) fn pause_after(&mut self, nodes: u64) {
        self.pause_at = self.nodes.saturating_add(nodes);
    }

    /// Counts a node; `None` when it is time to give up.
    pub(super) fn enter(&mut self) -> Option<()> {
        const NODES_BETWEEN_CHECKS: u64 = 256;
        self.nodes += 1;
        if self.nodes < self.next_check {
            return Some(());
        }
        self.next_check = self.nodes + NODES_BETWEEN_CHECKS;
        (self.nodes < self.pause_at && (self.may_continue)(self.nodes)).then_some(())
    }

    pub(super) fn attacks(&self, position: &Position) -> bool {
        position.side_to_move() == self.attacker
    }

    /// Whether the attacker mates in so many moves when the side to move has only these;
    /// `None` when it is time to give up.
    pub(super) fn mates(
        &mut self,
        position: &Position,
        allowed: &[Move],
        moves: u8,
    ) -> Option<bool> {
        self.next_check = 0;
        let branches = self.branches(position, allowed, moves);
        let everything = ProofNumbers {
            phi: Count::INFINITE,
            delta: Count::INFINITE,
        };
        let numbers = self.expand(position, branches, moves, everything)?;
        Some((numbers == ProofNumbers::WON) == self.attacks(position))
    }

    /// The same with all legal moves.
    pub(super) fn mates_by_any(&mut self, position: &Position, moves: u8) -> Option<bool> {
        if position.has_moves() {
            self.mates(position, &position.legal_moves(), moves)
        } else {
            Some(position.in_check() && !self.attacks(position))
        }
    }

    /// Whether it is remembered, or to be seen, that the defender to move is mated.
    pub(super) fn knows_mate(&mut self, position: &Position, left: u8) -> bool {
        self.after_attack(position, left) == ProofNumbers::LOST
    }

    /// The fewest moves he is known to mate in from here, at most so many.
    pub(super) fn fewest(&mut self, position: &Position, moves: u8) -> u8 {
        let known = self.table.mates_in(self.rules.key(position));
        known.map_or(moves, |fewest| fewest.min(moves))
    }

    /// Works on a position until its numbers reaches the limit.
    fn solve(
        &mut self,
        position: &Position,
        moves: u8,
        limit: ProofNumbers,
    ) -> Option<ProofNumbers> {
        self.enter()?;
        let before = self.nodes;
        let attacks = self.attacks(position);
        let numbers = if attacks && moves <= SHORT_MOVES {
            match short::mate(self, position, moves)? {
                Some(_) => ProofNumbers::WON,
                None => ProofNumbers::LOST,
            }
        } else {
            let branches = self.branches(position, &position.legal_moves(), moves);
            self.expand(position, branches, moves, limit)?
        };
        let key = self.rules.key(position);
        let work = self.nodes - before;
        self.table.store(key, moves, attacks, numbers, work);
        Some(numbers)
    }

    /// Works on the easiest branch until that of all of them together reaches the limit.
    fn expand(
        &mut self,
        position: &Position,
        mut branches: Vec<Branch>,
        moves: u8,
        limit: ProofNumbers,
    ) -> Option<ProofNumbers> {
        let left = moves - u8::from(self.attacks(position));
        loop {
            let mut easiest: Option<usize> = None;
            let (mut least, mut second, mut all) = (Count::INFINITE, Count::INFINITE, Count::ZERO);
            for (index, branch) in branches.iter().enumerate() {
                all = all + branch.numbers.phi;
                if branch.numbers.delta < least {
                    (second, least) = (least, branch.numbers.delta);
                    easiest = Some(index);
                } else if branch.numbers.delta < second {
                    second = branch.numbers.delta;
                }
            }
            let numbers = ProofNumbers {
                phi: least,
                delta: all,
            };
            let Some(branch) = easiest.and_then(|index| branches.get_mut(index)) else {
                return Some(numbers);
            };
            if numbers.reaches(limit) {
                return Some(numbers);
            }
            let others = all.less(branch.numbers.phi);
            let limit = ProofNumbers {
                phi: limit.delta.less(others),
                delta: limit.phi.min(second.with_leeway()),
            };
            let next = position.play_unchecked(branch.mv);
            branch.numbers = self.solve(&next, left, limit)?;
        }
    }

    /// The moves and what is known of the positions they lead to.
    fn branches(&mut self, position: &Position, allowed: &[Move], moves: u8) -> Vec<Branch> {
        let attacks = self.attacks(position);
        let mut branches: Vec<Branch> = Vec::with_capacity(allowed.len());
        for &mv in allowed {
            let next = position.play_unchecked(mv);
            let numbers = if attacks {
                self.after_attack(&next, moves - 1)
            } else {
                self.after_reply(&next, moves)
            };
            branches.push(Branch { mv, numbers });
            if numbers.delta == Count::ZERO {
                break;
            }
        }
        branches
    }

    /// How hard a position looks to the defender whose turn it is.
    fn after_attack(&mut self, next: &Position, left: u8) -> ProofNumbers {
        let replies = next.count_moves();
        if replies == 0 {
            return if next.in_check() {
                ProofNumbers::LOST
            } else {
                ProofNumbers::WON
            };
        }
        if left == 0 || self.rules.drawn(next) {
            return ProofNumbers::WON;
        }
        let known = self.table.find(self.rules.key(next), left, false);
        known.unwrap_or(ProofNumbers {
            phi: Count(1),
            delta: Count(replies),
        })
    }

    /// How hard a position looks to the attacker whose turn it is.
    fn after_reply(&mut self, next: &Position, left: u8) -> ProofNumbers {
        if left == 0 || self.rules.drawn(next) {
            return ProofNumbers::LOST;
        }
        let known = self.table.find(self.rules.key(next), left, true);
        known.unwrap_or(ProofNumbers {
            phi: Count(1),
            delta: Count(1),
        })
    }
}
