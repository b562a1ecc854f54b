//! Time management: how long to think about a move.
//!
//! The soft limit is checked between iterations and scaled by what the search found: an unstable
//! best move or a falling score extends it, an easy move shortens it. The hard limit is never
//! exceeded.

use crate::limits::Limits;
use crate::params;
use movegen::Color;
use std::time::Duration;

/// The time limits of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeManager {
    /// Checked between iterations; `None` when only the hard limit counts.
    soft: Option<Duration>,
    /// Checked every few hundred nodes; `None` without a clock.
    hard: Option<Duration>,
}

/// What makes a move easy or hard to find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difficulty {
    /// Iterations since the best move last changed.
    pub(crate) stable_for: u32,
    /// How far the score has dropped since earlier iterations; negative when it has risen.
    pub(crate) score_drop: i32,
    /// The best move's share of all nodes, in 1/1024.
    pub(crate) node_share: u32,
}

/// A move has to be found even when no time is left.
const MIN_TIME: Duration = Duration::from_millis(1);
/// The overhead of all moves to come may exceed the remaining time: this part of it, one in N, is
/// shared among them in any case.
const MIN_SHARED_PART: u32 = 4;

impl TimeManager {
    pub(crate) fn new(limits: &Limits, side: Color, overhead: Duration) -> Self {
        if limits.infinite {
            return Self {
                soft: None,
                hard: None,
            };
        }
        let fixed = limits
            .move_time
            .map(|time| time.saturating_sub(overhead.min(time / 2)).max(MIN_TIME));
        let clock = limits.clocks[side.index()];
        let Some(remaining) = clock.remaining else {
            return Self {
                soft: None,
                hard: fixed,
            };
        };
        // The overhead is lost with every move.
        let spendable = remaining.saturating_sub(overhead).max(MIN_TIME);
        let moves = limits.moves_to_go.map_or(params::time::horizon(), |moves| {
            i32::try_from(moves)
                .unwrap_or(i32::MAX)
                .clamp(1, params::time::horizon())
        });
        let pool = spendable
            .saturating_add(clock.increment * (moves as u32 - 1))
            .saturating_sub(overhead * (moves as u32 - 1))
            .max(spendable / MIN_SHARED_PART);
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
        let hard = fixed.map_or(hard, |fixed| fixed.min(hard)).max(MIN_TIME);
        Self {
            soft: Some(soft),
            hard: Some(hard),
        }
    }

    /// The hard limit is reached: stop at once.
    pub(crate) fn hard_limit_reached(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// The soft limit is reached: do not start another iteration.
    pub(crate) fn soft_limit_reached(&self, elapsed: Duration, difficulty: Difficulty) -> bool {
        let Some(soft) = self.soft else { return false };
        elapsed >= soft.mul_f64(difficulty.factor())
    }
}

impl Difficulty {
    fn factor(self) -> f64 {
        /// More stable iterations, and larger changes of the score, make no further difference.
        const MAX_STABLE: u32 = 10;
        const MAX_RISE: i32 = 40;
        const MAX_DROP: i32 = 80;
        let stable = f64::from(self.stable_for.min(MAX_STABLE));
        let stability = f64::from(params::time::unstable_percent())
            - stable * f64::from(params::time::stable_step());
        let drop = f64::from(self.score_drop.clamp(-MAX_RISE, MAX_DROP));
        let trend = 100.0 + drop * f64::from(params::time::trend_percent()) / 100.0;
        let effort = f64::from(params::time::effort_base())
            - f64::from(self.node_share) / 1024.0 * f64::from(params::time::effort_slope());
        (stability / 100.0) * (trend / 100.0) * (effort / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::PlayerClock;

    const OVERHEAD: Duration = Duration::from_millis(10);
    /// The best move is stable and took all of the nodes.
    const EASY: Difficulty = Difficulty {
        stable_for: 10,
        score_drop: 0,
        node_share: 1024,
    };

    /// Even an easy move gets more than the time of the first iteration.
    #[test]
    fn overhead_leaves_time_to_think() {
        for left in [200, 400, 1000] {
            let remaining = Duration::from_millis(left);
            let mut limits = Limits::default();
            limits.clocks[Color::White.index()] = PlayerClock {
                remaining: Some(remaining),
                ..PlayerClock::default()
            };
            let time = TimeManager::new(&limits, Color::White, OVERHEAD);
            assert!(
                !time.soft_limit_reached(Duration::from_micros(500), EASY),
                "{time:?}"
            );
            assert!(time.hard_limit_reached(remaining - OVERHEAD), "{time:?}");
        }
    }
}
