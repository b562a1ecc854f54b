//! Time management: how long to think about a move.
//!
//! The soft limit is checked between iterations and scaled by what the search found: an unstable
//! best move or a falling score extends it, an easy move shortens it. At the hard limit the search
//! stops at once. A busy system may delay that, so part of the clock is always held in reserve.

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

/// Measures of how hard the best move is to find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difficulty {
    /// Iterations since the best move last changed.
    pub(crate) stable_for: u32,
    /// The drop of the score since earlier iterations; negative when it has risen.
    pub(crate) score_drop: i32,
    /// The best move's share of all nodes, in 1/1024.
    pub(crate) node_share: u32,
}

/// Longer times are cut to it, so that multiples of times cannot overflow.
const LONGEST: Duration = Duration::from_secs(1 << 40);
/// A move must be found even with no time left.
const MIN_TIME: Duration = Duration::from_millis(1);
/// Kept on the clock for delays, but at most half of the remaining time.
const RESERVE: Duration = Duration::from_millis(100);
/// The reserve grows by this multiple of the longest recent delay, since worse ones will follow.
const PEAKS_IN_RESERVE: u32 = 2;
/// The overhead of all future moves may exceed the remaining time; at least one part in N of that
/// time is still shared among them.
const MIN_SHARED_PART: u32 = 4;

impl TimeManager {
    pub(crate) fn new(limits: &Limits, side: Color, overhead: Duration, lag: Lag) -> Self {
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
        let Some(remaining) = clock.remaining.map(|left| left.min(LONGEST)) else {
            return Self {
                soft: None,
                hard: fixed,
            };
        };
        // The overhead is lost with every move.
        let overhead = overhead.max(lag.mean);
        let reserve = (RESERVE + lag.peak * PEAKS_IN_RESERVE).min(remaining / 2);
        let spendable = remaining.saturating_sub(overhead + reserve).max(MIN_TIME);
        let horizon = params::time::horizon();
        let moves = limits.moves_to_time_control().map_or(horizon, |moves| {
            i32::try_from(moves).unwrap_or(i32::MAX).min(horizon)
        });
        let pool = spendable
            .saturating_add(clock.increment.min(LONGEST) * (moves as u32 - 1))
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

    /// The hard limit, with a clock.
    pub(crate) fn hard_limit(&self) -> Option<Duration> {
        self.hard
    }

    /// The hard limit is reached: stop at once.
    pub(crate) fn hard_limit_reached(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// The soft limit of a forced move, a small share of the other, is reached.
    pub(crate) fn forced_limit_reached(&self, elapsed: Duration) -> bool {
        const SHARE: u32 = 8;
        self.soft.is_some_and(|soft| elapsed >= soft / SHARE)
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
        let factor = (stability / 100.0) * (trend / 100.0) * (effort / 100.0);
        // A tuning build may set any values.
        factor.max(0.0)
    }
}

/// The lag of a game's answers to the clock: the time the system, the GUI and the network
/// take beyond what was planned.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lag {
    /// The mean delay of the last moves of the game.
    mean: Duration,
    /// The longest recent delay; it fades while later moves are on time.
    peak: Duration,
    /// The side whose clock ran last, and the time it should show at that side's next move.
    expected: Option<(Color, Duration)>,
}

impl Lag {
    /// A larger difference means a new game or an adjusted clock, not lag.
    const MAX: Duration = Duration::from_secs(1);
    /// The weight of the last move is one in N.
    const MOVES: u32 = 8;
    /// A peak loses one part in N with every move.
    const FADING: u32 = 32;

    /// A search begins.
    pub(crate) fn begin(&mut self, limits: &Limits, side: Color) {
        let remaining = limits.clocks[side.index()].remaining;
        if let (Some((color, expected)), Some(remaining)) = (self.expected.take(), remaining)
            && color == side
        {
            let lag = expected.saturating_sub(remaining);
            if lag <= Self::MAX {
                self.mean = (self.mean * (Self::MOVES - 1) + lag) / Self::MOVES;
                self.peak = lag.max(self.peak - self.peak / Self::FADING);
            }
        }
    }

    /// A search ended that was to use no more of the clock than `planned`.
    pub(crate) fn end(&mut self, limits: &Limits, side: Color, planned: Duration) {
        let clock = limits.clocks[side.index()];
        self.expected = clock.remaining.map(|remaining| {
            let left = remaining.saturating_sub(planned);
            (side, left.saturating_add(clock.increment))
        });
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

    fn milliseconds(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = PlayerClock {
            remaining: Some(milliseconds(remaining)),
            increment: milliseconds(increment),
        };
        Limits {
            clocks: [clock; 2],
            moves_to_go,
            ..Limits::default()
        }
    }

    fn lag(mean: u64) -> Lag {
        Lag {
            mean: milliseconds(mean),
            ..Lag::default()
        }
    }

    fn hard(limits: &Limits, lag: Lag) -> Duration {
        let time = TimeManager::new(limits, Color::White, OVERHEAD, lag);
        time.hard_limit().expect("a clock")
    }

    const CLOCKS: [u64; 14] = [
        0, 1, 5, 11, 20, 30, 60, 100, 150, 200, 300, 1000, 5000, 600_000,
    ];
    const OTHERS: [(u64, Option<u32>); 6] = [
        (0, None),
        (10, None),
        (5000, None),
        (0, Some(1)),
        (10, Some(2)),
        (0, Some(40)),
    ];

    /// Even an easy move gets more than the time of the first iteration.
    #[test]
    fn overhead_leaves_time_to_think() {
        for left in [200, 400, 1000] {
            let limits = limits(left, 0, None);
            let time = TimeManager::new(&limits, Color::White, OVERHEAD, Lag::default());
            assert!(
                !time.soft_limit_reached(Duration::from_micros(300), EASY),
                "{time:?}"
            );
            assert!(
                time.hard_limit_reached(milliseconds(left) - OVERHEAD),
                "{time:?}"
            );
        }
    }

    /// Half of a short clock, and 100 ms of a longer one, are left for delays, besides the
    /// overhead.
    #[test]
    fn a_part_of_the_clock_is_never_planned_with() {
        for remaining in CLOCKS {
            for (increment, moves_to_go) in OTHERS {
                for mean in [0, 40, 300] {
                    let limits = limits(remaining, increment, moves_to_go);
                    let kept = mean.max(10) + (remaining / 2).min(100);
                    let most = milliseconds(remaining.saturating_sub(kept));
                    let hard = hard(&limits, lag(mean));
                    assert!(hard <= most.max(MIN_TIME), "{limits:?} {mean} {hard:?}");
                }
            }
        }
    }

    /// In a game where every move takes an even share of what is left, each may take at least that,
    /// and at most six times as much, as in Stockfish.
    #[test]
    fn a_repeating_control_is_shared_evenly() {
        for (total, moves) in [(300_000, 40), (60_000, 20), (7_200_000, 40), (20_000, 10)] {
            let mut left = total;
            for to_go in (1..=moves).rev() {
                let limits = limits(left, 0, Some(to_go));
                let time = TimeManager::new(&limits, Color::White, OVERHEAD, Lag::default());
                let even = milliseconds(left / u64::from(to_go));
                let (soft, hard) = (time.soft.expect("a clock"), time.hard.expect("a clock"));
                if to_go > 1 {
                    assert!(soft >= even, "{soft:?} of {even:?}, {to_go} to go");
                }
                assert!(hard <= even * 6, "{hard:?} of {even:?}, {to_go} to go");
                assert!(hard < milliseconds(left), "{hard:?}, {to_go} to go");
                left -= even.as_millis() as u64;
            }
        }
    }

    #[test]
    fn no_moves_to_go_are_sudden_death() {
        let [none, sudden] = [Some(0), None].map(|moves| limits(300_000, 0, moves));
        assert_eq!(hard(&none, lag(0)), hard(&sudden, lag(0)));
    }

    #[test]
    fn more_time_is_never_less_and_more_lag_never_more() {
        for (increment, moves_to_go) in OTHERS {
            for pair in CLOCKS.windows(2) {
                let [less, more] =
                    [pair[0], pair[1]].map(|left| limits(left, increment, moves_to_go));
                assert!(hard(&less, lag(0)) <= hard(&more, lag(0)), "{less:?}");
                assert!(hard(&more, lag(80)) <= hard(&more, lag(50)), "{more:?}");
            }
        }
    }

    #[test]
    fn the_longest_times_do_not_overflow() {
        let clock = PlayerClock {
            remaining: Some(Duration::MAX),
            increment: Duration::MAX,
        };
        for moves_to_go in [None, Some(1), Some(40)] {
            let limits = Limits {
                clocks: [clock; 2],
                moves_to_go,
                ..Limits::default()
            };
            assert!(hard(&limits, lag(0)) > milliseconds(1000));
            lag(0).end(&limits, Color::White, Duration::ZERO);
        }
    }

    /// The clock of a move, then that of the next one, after a search planned for 20 ms.
    fn seen(first: &Limits, next: &Limits, side: Color) -> Duration {
        let mut lag = Lag::default();
        lag.begin(first, Color::White);
        lag.end(first, Color::White, milliseconds(20));
        lag.begin(next, side);
        lag.mean * Lag::MOVES
    }

    #[test]
    fn the_lag_is_what_the_clock_lost_beyond_the_plan() {
        let before = limits(500, 10, None);
        for (shown, lag) in [(490, 0), (485, 5), (300, 190), (600, 0)] {
            let next = limits(shown, 10, None);
            assert_eq!(
                seen(&before, &next, Color::White),
                milliseconds(lag),
                "{shown}"
            );
        }
    }

    /// A move that was 150 ms late is followed by moves that could be 300 ms late, until many
    /// were in time.
    #[test]
    fn a_delay_is_kept_in_reserve() {
        let clock = limits(700, 10, None);
        let mut lag = Lag::default();
        lag.begin(&clock, Color::White);
        lag.end(&clock, Color::White, Duration::ZERO);
        lag.begin(&limits(560, 10, None), Color::White);
        assert_eq!(lag.peak, milliseconds(150));
        let reserve = milliseconds(100 + 300);
        for remaining in [800, 1000, 1200] {
            let limits = limits(remaining, 5000, Some(1));
            assert!(hard(&limits, lag) <= milliseconds(remaining) - reserve);
        }
        for _ in 0..200 {
            lag.end(&clock, Color::White, Duration::ZERO);
            lag.begin(&limits(710, 10, None), Color::White);
        }
        assert!(lag.peak < milliseconds(1), "{lag:?}");
    }

    #[test]
    fn another_game_is_no_lag() {
        let (long, short) = (limits(60_000, 0, None), limits(1000, 0, None));
        assert_eq!(seen(&long, &short, Color::White), Duration::ZERO);
        let other = limits(400, 10, None);
        assert_eq!(
            seen(&limits(500, 10, None), &other, Color::Black),
            Duration::ZERO
        );
        assert_eq!(
            seen(&Limits::default(), &other, Color::White),
            Duration::ZERO
        );
    }

    /// The clock shows 50 ms less than it should at every move.
    #[test]
    fn a_lag_of_every_move_is_known_after_some() {
        let mut lag = Lag::default();
        for shown in (0..40).map(|number| 5000 - 50 * number) {
            let limits = limits(shown, 0, None);
            lag.begin(&limits, Color::White);
            lag.end(&limits, Color::White, Duration::ZERO);
        }
        assert!(
            (milliseconds(48)..=milliseconds(50)).contains(&lag.mean),
            "{lag:?}"
        );
    }
}
