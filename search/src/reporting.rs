//! Reporting: what a search tells its observer while it runs, and its result.

use crate::observer::{Info, Observer, SearchResult};
use crate::root::RootMove;
use crate::score::{Bound, Score};
use crate::shared::{Shared, WorkerResult};
use crate::thread::Worker;
use crate::{pv, wdl};
use movegen::Move;
use std::time::Duration;

/// Reports during the search. Only the leader has an observer.
impl Worker<'_> {
    /// Reports a score outside of the window, once the search is long enough to be watched.
    pub(crate) fn report_bound(&mut self, depth: i32) {
        const WORTH_REPORTING: Duration = Duration::from_secs(1);
        if self.multi_pv() == 1 && self.shared.elapsed() >= WORTH_REPORTING {
            self.report(0, depth);
        }
    }

    pub(crate) fn report(&mut self, line: usize, depth: i32) {
        self.publish();
        if let Some(observer) = &mut self.observer
            && observer.wants_info()
            && let Some(root) = self.root_moves.moves.get(line)
        {
            observer.info(&info(self.shared, root, line + 1, depth));
        }
    }

    /// Reports the root move that is searched now.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: i32) {
        let number = number.unsigned_abs() as usize + self.root_moves.line;
        if let Some(observer) = &mut self.observer {
            observer.current_move(self.depth.unsigned_abs(), mv, number);
        }
    }
}

/// A line as it is reported: legal to its last move, and complete where it ends in mate.
fn info(shared: &Shared<'_>, root: &RootMove, line: usize, depth: i32) -> Info {
    let position = shared.game.position();
    let (score, bound) = root.reported_score();
    Info {
        depth: depth.unsigned_abs(),
        selective_depth: u32::try_from(root.selective_depth).unwrap_or(u32::MAX),
        line,
        score,
        centipawns: wdl::centipawns(score, position),
        chances: wdl::chances(score, position),
        bound,
        nodes: shared.nodes(),
        time: shared.elapsed(),
        hash_full: shared.tt.hashfull(),
        tablebase_hits: shared.tablebase_hits(),
        pv: pv::complete(shared, root),
    }
}

/// The result of a search, from what the winning worker found.
pub(crate) fn result(shared: &Shared<'_>, found: &WorkerResult) -> SearchResult {
    let best = info(shared, &found.best, 1, found.depth);
    let (score, depth) = (best.score, best.depth);
    let (completed, completed_depth) = (&found.completed.0, found.completed.1);
    let first = match completed.first() {
        // The iteration before has the exact score.
        Some(root) if root.mv == found.best.mv && best.bound != Bound::Exact => {
            info(shared, root, 1, completed_depth)
        }
        _ => best,
    };
    let ponder = first.pv.get(1).copied();
    let mut lines = vec![first];
    let others = completed.iter().filter(|root| root.mv != found.best.mv);
    for (number, root) in (2..=completed.len()).zip(others) {
        lines.push(info(shared, root, number, completed_depth));
    }
    SearchResult {
        best_move: Some(found.best.mv),
        ponder,
        score,
        depth,
        nodes: shared.nodes(),
        time: shared.elapsed(),
        lines,
    }
}

/// The result when there is no legal move, or none among `searchmoves`.
pub(crate) fn no_move(shared: &Shared<'_>) -> SearchResult {
    let position = shared.game.position();
    let mated = position.in_check() && !position.has_moves();
    SearchResult {
        best_move: None,
        ponder: None,
        score: if mated {
            Score::mated_in(0)
        } else {
            Score::DRAW
        },
        depth: 0,
        nodes: 0,
        time: shared.elapsed(),
        lines: Vec::new(),
    }
}

/// Passes on the reports of a search and adds the final one.
pub(crate) struct FinalReporter<'a> {
    observer: &'a mut dyn Observer,
    /// The nodes and the first move in the last report of an exact score for the best line.
    last: Option<(u64, Option<Move>)>,
    /// The depth of the last report.
    depth: u32,
}

impl<'a> FinalReporter<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer) -> Self {
        Self {
            observer,
            last: None,
            depth: 0,
        }
    }

    /// Reports the result with the totals of the search, if they are new or `always` is set. A move
    /// that a less deep thread found counts as one of the depth that the first thread completed, so
    /// that depths do not fall.
    pub(crate) fn end(&mut self, result: &SearchResult, always: bool) {
        let known = self.last == Some((result.nodes, result.best_move));
        if known && !always || !self.observer.wants_info() {
            return;
        }
        for line in &result.lines {
            self.observer.info(&Info {
                depth: if line.line == 1 {
                    line.depth.max(self.depth)
                } else {
                    line.depth
                },
                nodes: result.nodes,
                time: result.time,
                ..line.clone()
            });
        }
    }
}

impl Observer for FinalReporter<'_> {
    fn wants_info(&self) -> bool {
        self.observer.wants_info()
    }

    fn info(&mut self, info: &Info) {
        if info.line == 1 && info.bound == Bound::Exact {
            self.last = Some((info.nodes, info.pv.first().copied()));
            self.depth = info.depth;
        }
        self.observer.info(info);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.observer.current_move(depth, mv, number);
    }

    fn no_mate(&mut self, moves: u32) {
        self.observer.no_mate(moves);
    }

    fn result(&mut self, result: &SearchResult) {
        self.observer.result(result);
    }
}
