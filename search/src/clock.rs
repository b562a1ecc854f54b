//! From the clocks of `go` to how long to think.
//!
//! The soft limit is asked between iterations and moves with what the search finds: an
//! unstable best move or a falling score earns time, an easy move saves it. The hard limit is
//! never overstepped.

use crate::limits::Limits;
use crate::params;
use movegen::Color;
use std::time::Duration;

/// Thinking time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    /// Asked between iterations; `None` when only the hard limit counts.
    soft: Option<Duration>,
    /// Asked all the time; `None` without a clock.
    hard: Option<Duration>,
}

/// What the search has seen that makes a move easy or hard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difficulty {
    /// Iterations since the best move last changed.
    pub(crate) stable_for: u32,
    /// How far the score has fallen since earlier iterations (negative when it has risen).
    pub(crate) fallen: i32,
    /// The best move's share of all nodes, in 1/1024.
    pub(crate) effort: u32,
}

/// However little is left, think so long at least: a move has to be found.
const LEAST: Duration = Duration::from_millis(1);

impl Clock {
    pub(crate) fn new(limits: &Limits, turn: Color, overhead: Duration) -> Self {
        if limits.infinite {
            return Self {
                soft: None,
                hard: None,
            };
        }
        let fixed = limits
            .move_time
            .map(|time| time.saturating_sub(overhead.min(time / 2)).max(LEAST));
        let clock = limits.clocks[turn.index()];
        let Some(remaining) = clock.remaining else {
            return Self {
                soft: None,
                hard: fixed,
            };
        };
        // What is really there to be spent: the overhead is lost with every move.
        let spendable = remaining.saturating_sub(overhead).max(LEAST);
        let moves = limits.moves_to_go.map_or(params::time::horizon(), |moves| {
            i32::try_from(moves)
                .unwrap_or(i32::MAX)
                .clamp(1, params::time::horizon())
        });
        // With little left the overhead of all moves to come may be more than there is: the next
        // one is thought about all the same.
        let pool = spendable
            .saturating_add(clock.increment * (moves as u32 - 1))
            .saturating_sub(overhead * (moves as u32 - 1))
            .max(spendable / 4);
        let share = pool / moves as u32;
        let most = if moves == 1 {
            spendable.mul_f64(f64::from(params::time::last_share()) / 100.0)
        } else {
            spendable.mul_f64(f64::from(params::time::hard_share()) / 100.0)
        };
        let soft = share
            .mul_f64(f64::from(params::time::soft_percent()) / 100.0)
            .min(most);
        let hard = share
            .mul_f64(f64::from(params::time::hard_percent()) / 100.0)
            .min(most);
        let hard = fixed.map_or(hard, |fixed| fixed.min(hard)).max(LEAST);
        Self {
            soft: Some(soft),
            hard: Some(hard),
        }
    }

    /// Is it time to stop at once?
    pub(crate) fn over(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Is another iteration not worth beginning?
    pub(crate) fn enough(&self, elapsed: Duration, difficulty: Difficulty) -> bool {
        let Some(soft) = self.soft else { return false };
        elapsed >= soft.mul_f64(difficulty.factor())
    }
}

impl Difficulty {
    fn factor(self) -> f64 {
        let stable = f64::from(self.stable_for.min(10));
        let stability = f64::from(params::time::unstable_percent())
            - stable * f64::from(params::time::stable_step());
        let fallen = f64::from(self.fallen.clamp(-40, 80));
        let trend = 100.0 + fallen * f64::from(params::time::trend_percent()) / 100.0;
        let effort = f64::from(params::time::effort_base())
            - f64::from(self.effort) / 1024.0 * f64::from(params::time::effort_slope());
        (stability / 100.0) * (trend / 100.0) * (effort / 100.0)
    }
}
