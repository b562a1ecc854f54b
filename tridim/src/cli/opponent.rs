//! The engine as an opponent: a searcher and its limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use common::args::seconds;

use crate::Game;
use crate::search::{Limits, MAX_DEPTH, SearchResult, Searcher};

/// 16 MiB.
const TT_ENTRIES: usize = 1 << 20;

/// The limits of a search; one second by default.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct LimitArgs {
    /// Search depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Number of nodes to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search time in seconds [default: 1 without other limits]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
}

impl LimitArgs {
    const DEFAULT_TIME: Duration = Duration::from_secs(1);

    fn time(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.time.or(unlimited.then_some(Self::DEFAULT_TIME))
    }
}

#[derive(Debug)]
pub(super) struct Opponent {
    limits: LimitArgs,
    /// Created for the first search.
    searcher: Option<Searcher>,
}

impl Opponent {
    pub(super) fn new(limits: LimitArgs) -> Opponent {
        Opponent {
            limits,
            searcher: None,
        }
    }

    /// Returns `None` when there is no legal move.
    pub(super) fn think(&mut self, game: &Game) -> Option<SearchResult> {
        let searcher = self
            .searcher
            .get_or_insert_with(|| Searcher::new(TT_ENTRIES));
        let stop = AtomicBool::new(false);
        let limits = Limits {
            depth: self.limits.depth.unwrap_or(MAX_DEPTH),
            nodes: self.limits.nodes.unwrap_or(u64::MAX),
            stop: &stop,
        };
        let Some(time) = self.limits.time() else {
            return searcher.search(game, limits, |_| {});
        };
        thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            scope.spawn(|| {
                // Disconnected as soon as the search has finished by itself.
                let finished = finished;
                if finished.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    stop.store(true, Ordering::Relaxed);
                }
            });
            let result = searcher.search(game, limits, |_| {});
            drop(done);
            result
        })
    }
}
