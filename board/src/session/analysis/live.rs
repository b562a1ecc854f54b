//! The search of a position until it is stopped, which reports its lines as they improve.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use movegen::Game;
use search::{Bound, Info, Limits, Observer, SearchControl, SearchOptions, Searcher};

use super::Report;
use crate::Config;
use crate::session::evaluation::new_searcher;
use crate::session::task::Reporter;

/// The least time between two reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// The searcher of a session, which keeps what it has learned from one position to the next. Only
/// the running task uses it.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedSearcher(Arc<Mutex<Option<Searcher>>>);

impl SharedSearcher {
    /// Searches until it is stopped.
    pub(super) fn analyze(
        &self,
        game: &Game,
        multi_pv: usize,
        config: &Config,
        stop: &SearchControl,
        reporter: &Reporter,
    ) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let searcher = match &mut *shared {
            Some(searcher) => searcher,
            none => match new_searcher(config, config.threads, config.hash) {
                Ok(searcher) => none.insert(searcher),
                Err(error) => return reporter.report(Report::Failed(error.to_string())),
            },
        };
        let options = SearchOptions {
            multi_pv,
            ..SearchOptions::new(Limits {
                infinite: true,
                ..Limits::default()
            })
        };
        let (lines, receiver) = channel();
        let mut observer = LineObserver {
            count: multi_pv.min(game.position().legal_moves().len()),
            ..LineObserver::new(lines)
        };
        thread::scope(|scope| {
            scope.spawn(move || report_lines(&receiver, reporter));
            searcher.search(game, &options, stop, &mut observer);
            drop(observer);
        });
    }
}

/// Reports lines when they come, but not too often, until their sender is gone.
fn report_lines(lines: &Receiver<Vec<Info>>, reporter: &Reporter) {
    let mut latest = lines.recv().ok();
    while let Some(set) = latest.take() {
        reporter.report(Report::Lines(set));
        let next = Instant::now() + INTERVAL;
        loop {
            match lines.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(set) => latest = Some(set),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        latest = latest.or_else(|| lines.recv().ok());
    }
}

/// Puts together the lines of an iteration and, until it is finished, those of the one before.
struct LineObserver {
    sender: Sender<Vec<Info>>,
    count: usize,
    lines: Vec<Info>,
    before: Vec<Info>,
}

impl LineObserver {
    fn new(sender: Sender<Vec<Info>>) -> LineObserver {
        LineObserver {
            sender,
            count: 1,
            lines: Vec::new(),
            before: Vec::new(),
        }
    }

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

impl Observer for LineObserver {
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
            // Fails only if the reports have ended.
            let _ = self.sender.send(lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use movegen::{Move, Position};
    use search::{Bound, Chances, Info, Observer, Score};

    use super::LineObserver;

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
            count: 3,
            ..LineObserver::new(sender)
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
}
