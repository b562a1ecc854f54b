//! The principal variation of a proven mate: a proven move for the attacker, and the replies that
//! last longest against it. So its length is that of the mate.

use super::dfpn::DfPn;
use movegen::{Move, Position};
use std::collections::HashMap;

/// A position's key and the attacker's moves left.
type Key = (u64, u8);

/// The next move of a position, and the plies to mate.
#[derive(Clone, Copy)]
struct Step {
    plies: usize,
    next: Option<(Move, Key)>,
}

impl Step {
    const MATE: Self = Self {
        plies: 0,
        next: None,
    };
}

struct Tracer<'p, 'a> {
    dfpn: &'p mut DfPn<'a>,
    steps: HashMap<Key, Step>,
}

/// The line of a mate that is proven in this many moves with the allowed ones; `None` when a limit
/// is reached first.
pub(super) fn trace(
    dfpn: &mut DfPn<'_>,
    root: &Position,
    allowed: &[Move],
    moves: u8,
) -> Option<Vec<Move>> {
    let steps = HashMap::new();
    let mut tracer = Tracer { dfpn, steps };
    let mut step = if tracer.dfpn.attacks(root) {
        tracer.attack(root, allowed, moves)?
    } else {
        tracer.defense(root, allowed, moves)?
    };
    let mut line = Vec::with_capacity(step.plies);
    while let Some((mv, key)) = step.next {
        line.push(mv);
        step = *tracer.steps.get(&key)?;
    }
    Some(line)
}

impl Tracer<'_, '_> {
    /// Finds the step of a position, and the key it is stored under.
    fn follow(&mut self, position: &Position, left: u8) -> Option<(Step, Key)> {
        let attacks = self.dfpn.attacks(position);
        let left = if attacks {
            self.dfpn.fewest(position, left)
        } else {
            left
        };
        let key = (self.dfpn.rules.key(position), left);
        if let Some(&step) = self.steps.get(&key) {
            return Some((step, key));
        }
        self.dfpn.budget.enter().ok()?;
        let step = if !attacks {
            self.defense(position, &position.legal_moves(), left)?
        } else {
            self.attack(position, &position.legal_moves(), left)?
        };
        self.steps.insert(key, step);
        Some((step, key))
    }

    fn after(&mut self, position: &Position, mv: Move, left: u8) -> Option<Step> {
        let (step, key) = self.follow(&position.play_unchecked(mv), left)?;
        Some(Step {
            plies: step.plies + 1,
            next: Some((mv, key)),
        })
    }

    /// The reply that lasts longest.
    fn defense(&mut self, position: &Position, replies: &[Move], left: u8) -> Option<Step> {
        let mut longest = Step::MATE;
        for &mv in replies {
            let step = self.after(position, mv, left)?;
            if step.plies > longest.plies {
                longest = step;
            }
        }
        Some(longest)
    }

    /// A proven move; what the table lost is proven again.
    fn attack(&mut self, position: &Position, tries: &[Move], left: u8) -> Option<Step> {
        let next = |mv: Move| position.play_unchecked(mv);
        let known = tries
            .iter()
            .find(|&&mv| self.dfpn.knows_mate(&next(mv), left - 1));
        let mut proven = known.copied();
        let mut rest = tries.iter();
        while proven.is_none() {
            let &mv = rest.next()?;
            let mates = self.dfpn.mates_by_any(&next(mv), left - 1).ok()?;
            proven = mates.then_some(mv);
        }
        self.after(position, proven?, left - 1)
    }
}
