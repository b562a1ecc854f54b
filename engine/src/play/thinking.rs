//! What a terminal shows while the engine thinks: depth, score, time left and the expected line.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::terminal::Work;
use movegen::Position;
use search::{Bound, Info, Observer, SearchControl};

use game::notation;
use game::pgn::Eval;
use game::play::shown_clock;

/// One search.
#[derive(Debug)]
pub(super) struct Thinking {
    position: Position,
    pub(super) stop: SearchControl,
    started: Instant,
    /// The time for the search or left on the clock, if limited.
    time: Option<Duration>,
    latest: Mutex<Option<Latest>>,
}

/// The best line of the deepest iteration so far.
#[derive(Debug)]
struct Latest {
    depth: u32,
    score: String,
    line: String,
}

impl Thinking {
    pub(super) fn new(position: Position, time: Option<Duration>) -> Thinking {
        Thinking {
            position,
            stop: SearchControl::new(),
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
            Some(time) => format!("{} left", shown_clock(time.saturating_sub(elapsed))),
            None => shown_clock(elapsed),
        };
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(Latest { depth, score, line }) => {
                format!("depth {depth}  {score}  {time}  {line}")
            }
            None => format!("thinking  {time}"),
        }
    }

    fn stop(&self) {
        self.stop.stop();
    }
}

impl Observer for &Thinking {
    fn info(&mut self, info: &Info) {
        if info.line != 1 || info.bound != Bound::Exact {
            return;
        }
        let score = match Eval::for_white(info.score, &self.position) {
            Eval::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            mate @ Eval::Mate(_) => mate.to_string(),
        };
        let latest = Latest {
            depth: info.depth,
            score,
            line: notation::numbered_moves(&self.position, info.pv.iter().copied()),
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(latest);
    }
}
