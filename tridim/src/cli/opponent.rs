//! Who answers: a searcher, and how far it looks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::Game;
use crate::search::{Limits, MOST_DEPTH, Report, Searcher};

/// Entries of the table of sixteen bytes: 16 MiB.
const TABLE: usize = 1 << 20;

/// What one move may cost. Without anything, a second.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct StrengthArgs {
    /// Looks so many plies ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DEPTH)))]
    depth: Option<u32>,
    /// Looks at so many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Thinks for so many seconds; 1 where nothing else is said
    #[arg(long, value_name = "SECONDS", value_parser = common::args::seconds)]
    time: Option<Duration>,
}

impl StrengthArgs {
    const USUAL: Duration = Duration::from_secs(1);

    fn time(&self) -> Option<Duration> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.time.or(unlimited.then_some(Self::USUAL))
    }
}

#[derive(Debug)]
pub(super) struct Opponent {
    strength: StrengthArgs,
    /// Made for the first move it is asked for.
    searcher: Option<Searcher>,
}

impl Opponent {
    pub(super) fn new(strength: StrengthArgs) -> Opponent {
        Opponent {
            strength,
            searcher: None,
        }
    }

    /// `None` where there is no legal move.
    pub(super) fn think(&mut self, game: &Game) -> Option<Report> {
        let searcher = self.searcher.get_or_insert_with(|| Searcher::new(TABLE));
        let stop = AtomicBool::new(false);
        let limits = Limits {
            depth: self.strength.depth.unwrap_or(MOST_DEPTH),
            nodes: self.strength.nodes.unwrap_or(u64::MAX),
            stop: &stop,
        };
        let Some(time) = self.strength.time() else {
            return searcher.search(game, limits, |_| {});
        };
        thread::scope(|scope| {
            let (done, watch) = channel::<()>();
            scope.spawn(|| {
                // The other end goes when the search has ended by itself.
                let watch = watch;
                if watch.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    stop.store(true, Ordering::Relaxed);
                }
            });
            let report = searcher.search(game, limits, |_| {});
            drop(done);
            report
        })
    }
}
