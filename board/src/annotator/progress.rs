//! The progress of the annotation, and the time it still takes.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which the speed is measured.
const LONGEST: Duration = Duration::from_secs(120);
/// The time before which there is no speed.
const SHORTEST: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Those that were annotated since the start.
    pub(super) games: usize,
    pub(super) positions: usize,
    /// Times, and what was done by then.
    samples: VecDeque<(Instant, f64)>,
}

impl Progress {
    /// Takes what is done by now.
    pub(super) fn measure(&mut self, now: Instant, done: f64) {
        self.samples.push_back((now, done));
        let is_old = |(time, _): &(Instant, f64)| now.duration_since(*time) > LONGEST;
        while self.samples.front().is_some_and(is_old) {
            self.samples.pop_front();
        }
    }

    /// The time for what is left at the speed of the last minutes; `None` before that is known.
    pub(super) fn seconds_for(&self, left: f64) -> Option<u64> {
        let ((start, before), (end, after)) = self.samples.front().zip(self.samples.back())?;
        let time = end.duration_since(*start);
        let done = after - before;
        (time >= SHORTEST && done > 0.0).then(|| (left * time.as_secs_f64() / done).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Progress;

    #[test]
    fn the_time_left_is_that_of_the_last_minutes() {
        let mut progress = Progress::default();
        let start = Instant::now();
        let mut left = |second: u64, done: f64| {
            progress.measure(start + Duration::from_secs(second), done);
            progress.seconds_for(60.0)
        };
        assert_eq!(left(0, 0.0), None);
        assert_eq!(left(4, 8.0), None);
        assert_eq!(left(6, 12.0), Some(30));
        // For ten minutes the cores were needed for something else.
        assert_eq!(left(600, 12.0), None);
        assert_eq!(left(610, 22.0), Some(60));
    }
}
