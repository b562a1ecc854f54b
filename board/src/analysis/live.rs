//! The search of a position until it is stopped, which reports its lines as they improve.

use std::time::{Duration, Instant};

use search::{Bound, Info, Observer, SearchControl};
use service::Job;

use crate::report::AnalysisReport;
use crate::task::Reporter;

/// The least time between two events with lines.
const INTERVAL: Duration = Duration::from_millis(100);

/// Searches until it is stopped.
pub(super) fn analyze(job: &Job, stop: &SearchControl, reporter: &Reporter) {
    let count = job.game.position().legal_moves().len();
    let mut observer = LineObserver {
        report: |lines| reporter.report(AnalysisReport::Lines(lines)),
        count: job.options.multi_pv.min(count),
        lines: Vec::new(),
        before: Vec::new(),
    };
    if let Err(error) = job.run(stop, &mut observer) {
        reporter.report(AnalysisReport::Failed(error.to_string()));
    }
}

/// The latest lines, which are not sent too often.
#[derive(Debug, Default)]
pub(super) struct LatestLines {
    waiting: Option<Vec<Info>>,
    /// The time at which some were sent last.
    sent: Option<Instant>,
}

impl LatestLines {
    /// Replaces those that wait.
    pub(super) fn put(&mut self, lines: Vec<Info>) {
        self.waiting = Some(lines);
    }

    /// The time until those that wait can be sent.
    pub(super) fn time_left(&self, now: Instant) -> Option<Duration> {
        let since = self.sent.map(|sent| now.saturating_duration_since(sent));
        let left = since.map_or(Duration::ZERO, |since| INTERVAL.saturating_sub(since));
        self.waiting.as_ref().map(|_| left)
    }

    /// Returns the lines to be sent now.
    pub(super) fn take(&mut self, now: Instant) -> Option<Vec<Info>> {
        self.time_left(now).filter(Duration::is_zero)?;
        self.sent = Some(now);
        self.waiting.take()
    }
}

/// Combines the lines of an iteration with those of the one before, until it is finished.
struct LineObserver<F> {
    report: F,
    count: usize,
    lines: Vec<Info>,
    before: Vec<Info>,
}

impl<F> LineObserver<F> {
    /// The lines of this iteration, completed by those of the one before with other first moves.
    fn complete(&self) -> Vec<Info> {
        let known = |info: &&Info| {
            let mut lines = self.lines.iter();
            !lines.any(|line| line.pv.first() == info.pv.first())
        };
        let rest = self.before.iter().filter(known);
        let lines = self.lines.iter().chain(rest).take(self.count);
        lines.cloned().collect()
    }
}

impl<F: FnMut(Vec<Info>)> Observer for LineObserver<F> {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact || info.pv.is_empty() {
            return;
        }
        let depth = self.lines.first().map_or(0, |line| line.depth);
        if info.line == 1 && info.depth > depth {
            self.before = self.complete();
            self.lines.clear();
        }
        self.lines.truncate(info.line.saturating_sub(1));
        self.lines.push(info.clone());
        let lines = self.complete();
        if lines.len() == self.count {
            (self.report)(lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use movegen::{Move, Position};
    use search::{Bound, Chances, Info, Observer, Score};

    use super::{INTERVAL, LatestLines, LineObserver};

    fn info(line: usize, depth: u32, san: &str, bound: Bound) -> Info {
        let mv: Move = Position::default().move_from_san(san).expect("legal");
        Info {
            depth,
            selective_depth: depth,
            line,
            score: Score::DRAW,
            centipawns: 0,
            chances: Chances {
                win: 0,
                draw: 1000,
                loss: 0,
            },
            bound,
            nodes: 0,
            time: Duration::ZERO,
            hash_full: 0,
            tablebase_hits: 0,
            pv: vec![mv],
        }
    }

    /// The lines reported after each info.
    #[test]
    fn the_set_of_lines_is_always_complete_and_without_duplicates() {
        let (sender, receiver) = channel();
        let mut observer = LineObserver {
            report: |lines| sender.send(lines).expect("a receiver"),
            count: 3,
            lines: Vec::new(),
            before: Vec::new(),
        };
        for (line, depth, san, bound, expected) in [
            (1, 1, "e4", Bound::Exact, ""),
            (2, 1, "d4", Bound::Exact, ""),
            (3, 1, "c4", Bound::Exact, "e4/1 d4/1 c4/1"),
            (1, 2, "d4", Bound::Lower, ""),
            (1, 2, "d4", Bound::Exact, "d4/2 e4/1 c4/1"),
            (2, 2, "Nf3", Bound::Exact, "d4/2 Nf3/2 e4/1"),
            (3, 2, "e4", Bound::Exact, "d4/2 Nf3/2 e4/2"),
            (1, 3, "Nf3", Bound::Exact, "Nf3/3 d4/2 e4/2"),
            (1, 3, "e4", Bound::Exact, "e4/3 d4/2 Nf3/2"),
        ] {
            observer.info(&info(line, depth, san, bound));
            let lines = receiver.try_recv().unwrap_or_default();
            let start = Position::default();
            let lines: Vec<String> = lines
                .iter()
                .map(|line| format!("{}/{}", start.san(line.pv[0]), line.depth))
                .collect();
            assert_eq!(lines.join(" "), expected, "{line} {depth} {san}");
        }
    }

    #[test]
    fn the_last_lines_are_sent_but_not_too_early() {
        let lines = |depth| vec![info(1, depth, "e4", Bound::Exact)];
        let depth = |lines: Vec<Info>| lines[0].depth;
        let start = Instant::now();
        let mut latest = LatestLines::default();
        assert_eq!(latest.time_left(start), None);
        latest.put(lines(1));
        assert_eq!(latest.take(start).map(depth), Some(1));
        latest.put(lines(2));
        latest.put(lines(3));
        let early = start + INTERVAL / 4;
        assert_eq!(latest.take(early).map(depth), None);
        assert_eq!(latest.time_left(early), Some(INTERVAL * 3 / 4));
        assert_eq!(latest.take(start + INTERVAL).map(depth), Some(3));
        assert_eq!(latest.time_left(start + INTERVAL), None);
    }
}
