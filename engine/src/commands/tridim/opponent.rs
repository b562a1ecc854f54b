//! The engine as an opponent: a searcher, its limits and its progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::args::seconds;
use crate::terminal::Work;

use super::command::NotationStyle;
use super::legal::moves_text;
use tridim::search::{Limits, MAX_DEPTH, SearchResult, Searcher};
use tridim::{Color, Game, Position};

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

/// One search, as a terminal shows and stops it.
#[derive(Debug)]
pub(super) struct Thinking {
    position: Position,
    style: NotationStyle,
    stop: AtomicBool,
    started: Instant,
    time: Option<Duration>,
    latest: Mutex<Option<SearchResult>>,
}

impl Thinking {
    fn new(position: Position, style: NotationStyle, time: Option<Duration>) -> Thinking {
        Thinking {
            position,
            style,
            stop: AtomicBool::new(false),
            started: Instant::now(),
            time,
            latest: Mutex::new(None),
        }
    }
}

impl Work for Thinking {
    fn status(&self) -> String {
        let elapsed = self.started.elapsed();
        let time = match self.time {
            Some(time) => format!("{:.1} s left", time.saturating_sub(elapsed).as_secs_f64()),
            None => format!("{:.1} s", elapsed.as_secs_f64()),
        };
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(found) => {
                let score = match self.position.side_to_move() {
                    Color::White => found.score,
                    Color::Black => -found.score,
                };
                let line = moves_text(&self.position, &found.line, self.style);
                format!("depth {}  {score}  {time}  {line}", found.depth)
            }
            None => format!("thinking  {time}"),
        }
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
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

    /// The search of a position, to be passed to `think`.
    pub(super) fn thinking(&self, game: &Game, style: NotationStyle) -> Thinking {
        Thinking::new(*game.position(), style, self.limits.time())
    }

    /// Returns `None` when there is no legal move.
    pub(super) fn think(&mut self, game: &Game, thinking: &Thinking) -> Option<SearchResult> {
        let searcher = self.searcher.get_or_insert_with(Searcher::default);
        let limits = Limits {
            depth: self.limits.depth.unwrap_or(MAX_DEPTH),
            nodes: self.limits.nodes.unwrap_or(u64::MAX),
            // A time that no clock reaches is none.
            deadline: thinking
                .time
                .and_then(|time| thinking.started.checked_add(time)),
            stop: &thinking.stop,
        };
        let report = |found: &SearchResult| {
            let mut latest = thinking
                .latest
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *latest = Some(found.clone());
        };
        searcher.search(game, limits, report)
    }
}
