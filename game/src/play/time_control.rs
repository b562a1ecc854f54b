//! A time control for both players: `5+3` as people type it, `300+3` as PGN has it.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use movegen::Color;
use search::PlayerClock;
use thiserror::Error;

/// A time for the whole game and an increment per move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    pub base: Duration,
    pub increment: Duration,
}

/// A text is not a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected minutes and an increment in seconds, such as 5+3, 0.5+0 or 10")]
pub struct TimeControlError;

/// The most a clock can show: increments are not added beyond it.
pub(super) const MAX_CLOCK: Duration = Duration::from_secs(1_000_000_000);

/// The seconds that an engine may be given for each move.
pub const MOVE_SECONDS: RangeInclusive<f64> = 0.001..=MAX_SECONDS;

const MAX_SECONDS: f64 = 86_400.0;

impl TimeControl {
    /// Parses minutes and, after a plus sign, seconds per move.
    pub fn from_minutes(text: &str) -> Result<Self, TimeControlError> {
        Self::parse(text, 60.0).ok_or(TimeControlError)
    }

    /// Parses seconds and seconds per move, as in PGN.
    pub fn from_seconds(text: &str) -> Option<Self> {
        Self::parse(text, 1.0)
    }

    fn parse(text: &str, unit: f64) -> Option<Self> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str, unit: f64| {
            let value = text.trim().parse::<f64>().ok()? * unit;
            let valid = (0.0..=MAX_SECONDS).contains(&value);
            valid.then(|| Duration::from_millis((value * 1000.0).round() as u64))
        };
        let (base, increment) = (seconds(base, unit)?, seconds(increment, 1.0)?);
        (!base.is_zero()).then_some(Self { base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, increment) = (self.base.as_secs_f64(), self.increment.as_secs_f64());
        write!(f, "{base}+{increment}")
    }
}

/// The time left on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    pub control: TimeControl,
    pub white: Duration,
    pub black: Duration,
}

impl Clocks {
    pub(super) fn new(control: TimeControl) -> Self {
        Self {
            control,
            white: control.base,
            black: control.base,
        }
    }

    pub(super) fn of_mut(&mut self, color: Color) -> &mut Duration {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    pub fn of(&self, color: Color) -> Duration {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The clocks as a search takes them.
    pub fn for_search(&self) -> [PlayerClock; 2] {
        [self.white, self.black].map(|remaining| PlayerClock {
            remaining: Some(remaining),
            increment: self.control.increment,
        })
    }
}

/// Formats a time as clocks show it: `4:07`, `1:00:00`, and `0:09.4` below ten seconds.
pub fn shown(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        return format!("0:0{}.{}", time.as_secs(), time.subsec_millis() / 100);
    }
    let seconds = time.as_millis().div_ceil(1000);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// The time that the side to move has used for its move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stopwatch {
    used: Duration,
    /// Since when it runs; `None` while it is stopped.
    since: Option<Instant>,
}

impl Stopwatch {
    pub(super) fn pause(&mut self) {
        self.used = self.used();
        self.since = None;
    }

    pub(super) fn resume(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    pub(super) fn used(&self) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.used.saturating_add(running)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{TimeControl, shown};

    #[test]
    fn minutes_and_seconds() {
        for (typed, pgn) in [
            ("5+3", "300+3"),
            ("10", "600+0"),
            ("0.5+0.1", "30+0.1"),
            ("1440+0", "86400+0"),
        ] {
            let control = TimeControl::from_minutes(typed).expect(typed);
            assert_eq!(control.to_string(), pgn);
            assert_eq!(TimeControl::from_seconds(pgn), Some(control));
        }
        for wrong in ["", "+3", "0+3", "5+", "5+-1", "x", "nan", "1441", "5+3+1"] {
            assert!(TimeControl::from_minutes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_as_clocks_show_them() {
        for (milliseconds, text) in [
            (0, "0:00.0"),
            (9_450, "0:09.4"),
            (10_000, "0:10"),
            (10_001, "0:11"),
            (247_000, "4:07"),
            (246_001, "4:07"),
            (3_600_000, "1:00:00"),
        ] {
            assert_eq!(shown(Duration::from_millis(milliseconds)), text);
        }
    }
}
