//! Depth-first proof-number search (df-pn, Nagai): proves whether an attacker mates in N moves.
//!
//! Expands the tree of all attacking moves and all replies where the proof looks easiest. There is
//! no pruning and no evaluation. The number of moves left decreases along every line, so that no
//! line is a cycle.

use super::budget::{Budget, Rules};
use super::proof::{Count, ProofNumbers};
use super::table::ProofTable;
use crate::thread::Stopped;
use movegen::{Color, Move, Position};

/// The proof for one attacker.
pub(super) struct DfPn<'a> {
    pub(super) rules: Rules,
    attacker: Color,
    table: ProofTable,
    pub(super) budget: Budget<'a>,
}

/// A move, and the proof numbers of the position after it.
#[derive(Clone, Copy)]
struct Branch {
    mv: Move,
    numbers: ProofNumbers,
}

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
            budget: Budget::new(may_continue),
        }
    }

    pub(super) fn attacks(&self, position: &Position) -> bool {
        position.side_to_move() == self.attacker
    }

    /// True if the attacker mates in this many moves if the side to move has only the allowed
    /// ones.
    pub(super) fn mates(
        &mut self,
        position: &Position,
        allowed: &[Move],
        moves: u8,
    ) -> Result<bool, Stopped> {
        self.budget.check_soon();
        let branches = self.branches(position, allowed, moves);
        let unlimited = ProofNumbers {
            phi: Count::INFINITE,
            delta: Count::INFINITE,
        };
        let numbers = self.expand(position, branches, moves, unlimited)?;
        // A sum may become infinite without a proof.
        if !numbers.is_proven() {
            return Err(Stopped);
        }
        Ok((numbers == ProofNumbers::WON) == self.attacks(position))
    }

    /// Returns whether any legal move mates within this many moves.
    pub(super) fn mates_by_any(&mut self, position: &Position, moves: u8) -> Result<bool, Stopped> {
        if position.has_moves() {
            self.mates(position, &position.legal_moves(), moves)
        } else {
            Ok(position.in_check() && !self.attacks(position))
        }
    }

    /// True if the table knows, or it is obvious, that the defender to move is mated.
    pub(super) fn knows_mate(&mut self, position: &Position, left: u8) -> bool {
        self.after_attack(position, left) == ProofNumbers::LOST
    }

    /// The fewest moves the attacker is known to mate in from here; otherwise `moves`.
    pub(super) fn fewest(&mut self, position: &Position, moves: u8) -> u8 {
        let known = self.table.mates_in(self.rules.key(position));
        known.map_or(moves, |fewest| fewest.min(moves))
    }

    /// Searches a position until its proof numbers reach the threshold.
    fn solve(
        &mut self,
        position: &Position,
        moves: u8,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, Stopped> {
        self.budget.enter()?;
        let before = self.budget.nodes;
        let attacks = self.attacks(position);
        let branches = self.branches(position, &position.legal_moves(), moves);
        let numbers = self.expand(position, branches, moves, limit)?;
        let key = self.rules.key(position);
        let work = self.budget.nodes - before;
        self.table.store(key, moves, attacks, numbers, work);
        Ok(numbers)
    }

    /// Searches the easiest branch until the numbers of the node reach the threshold.
    fn expand(
        &mut self,
        position: &Position,
        mut branches: Vec<Branch>,
        moves: u8,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, Stopped> {
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
                return Ok(numbers);
            };
            if numbers.reaches(limit) {
                return Ok(numbers);
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

    /// The moves with the known or initial numbers of the positions after them.
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

    /// The known or initial numbers of a position with the defender to move.
    fn after_attack(&mut self, next: &Position, left: u8) -> ProofNumbers {
        let replies = next.count_moves();
        if replies == 0 {
            return if next.in_check() {
                ProofNumbers::LOST
            } else {
                ProofNumbers::WON
            };
        }
        if left == 0 || self.rules.is_draw(next) {
            return ProofNumbers::WON;
        }
        let known = self.table.find(self.rules.key(next), left, false);
        known.unwrap_or(ProofNumbers {
            phi: Count(1),
            delta: Count(replies),
        })
    }

    /// The known or initial numbers of a position with the attacker to move.
    fn after_reply(&mut self, next: &Position, left: u8) -> ProofNumbers {
        if left == 0 || self.rules.is_draw(next) {
            return ProofNumbers::LOST;
        }
        let known = self.table.find(self.rules.key(next), left, true);
        known.unwrap_or(ProofNumbers {
            phi: Count(1),
            delta: Count(1),
        })
    }
}
