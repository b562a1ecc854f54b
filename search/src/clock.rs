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
/// With little left the overhead of all moves to come may be more than there is: one part in so
/// many is shared among them all the same.
const SHARED_ONE_IN: u32 = 4;

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
        let pool = spendable
            .saturating_add(clock.increment * (moves as u32 - 1))
            .saturating_sub(overhead * (moves as u32 - 1))
            .max(spendable / SHARED_ONE_IN);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::PlayerClock;

    const OVERHEAD: Duration = Duration::from_millis(10);
    /// The best move has stayed and took most of the nodes: nothing asks for more time.
    const EASY: Difficulty = Difficulty {
        stable_for: 10,
        fallen: 0,
        effort: 1024,
    };

    /// However easy the move, more than the time of a first iteration is spent on it, and never
    /// more than there is.
    #[test]
    fn a_move_is_thought_about_though_overhead_would_take_all_there_is() {
        for left in [200, 400, 1000] {
            let remaining = Duration::from_millis(left);
            let mut limits = Limits::default();
            limits.clocks[Color::White.index()] = PlayerClock {
                remaining: Some(remaining),
                ..PlayerClock::default()
            };
            let clock = Clock::new(&limits, Color::White, OVERHEAD);
            assert!(!clock.enough(Duration::from_micros(500), EASY), "{clock:?}");
            assert!(clock.over(remaining - OVERHEAD), "{clock:?}");
        }
    }
}
