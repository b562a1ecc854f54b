//! Asks a search one question and waits for the answer: what everything does that is no session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use movegen::{Game, Move};
use search::{Best, Bound, Info, Limits, Manner, Report, Search, SearchError, TablebaseUse};
use thiserror::Error;

/// How often a running search is asked whether to stop it.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Why there is no answer.
#[derive(Debug, Error)]
pub(crate) enum AskError {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("the search ended without an answer")]
    NoAnswer,
}

/// How a position is to be searched.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) limits: Limits,
    /// How many lines of play are wanted.
    pub(crate) multi_pv: usize,
    pub(crate) tablebases: TablebaseUse,
}

impl Question {
    /// For one line of play.
    pub(crate) fn new(limits: Limits) -> Question {
        Question {
            limits,
            multi_pv: 1,
            tablebases: TablebaseUse::default(),
        }
    }
}

/// All a search said, in its order.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) said: Vec<Info>,
    pub(crate) best: Best,
}

impl Answer {
    /// Of the whole search.
    pub(crate) fn nodes(&self) -> u64 {
        self.said.last().map_or(0, |info| info.nodes)
    }

    /// Of the whole search.
    pub(crate) fn time(&self) -> Duration {
        self.said.last().map_or(Duration::ZERO, |info| info.time)
    }

    /// The lines of play in the end, the best first; none twice.
    pub(crate) fn lines(&self) -> Vec<&Info> {
        let mut lines: Vec<&Info> = Vec::new();
        for number in 1.. {
            let found = match number {
                1 => self.best_line(),
                _ => self.said.iter().rev().find(|info| info.line == number),
            };
            let Some(info) = found else { break };
            // The best move may have changed after the others were told.
            if lines.iter().all(|line| line.pv.first() != info.pv.first()) {
                lines.push(info);
            }
        }
        lines
    }

    /// What was last said of the best move, if possible without leaving the score open.
    fn best_line(&self) -> Option<&Info> {
        let of_best = || {
            let first = |info: &&Info| info.line == 1 && info.pv.first() == self.best.best.as_ref();
            self.said.iter().rev().filter(first)
        };
        of_best()
            .find(|info| info.bound == Bound::Exact)
            .or_else(|| of_best().next())
    }
}

/// Searches the present position of a game, with what the search knows already; `stop` ends it
/// before its limits do.
pub(crate) fn ask(
    search: &mut Search,
    game: &Game,
    question: &Question,
    stop: &AtomicBool,
) -> Result<Answer, AskError> {
    let (sender, receiver) = channel();
    let manner = Manner {
        multi_pv: question.multi_pv,
        tablebases: question.tablebases,
        move_overhead: Duration::ZERO,
        not_before: Duration::ZERO,
        started: Instant::now(),
    };
    let listener = Listener {
        said: Vec::new(),
        sender,
    };
    search.go(game, question.limits.clone(), manner, Box::new(listener))?;
    let answer = loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(answer) => break Ok(answer),
            Err(RecvTimeoutError::Disconnected) => break Err(AskError::NoAnswer),
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => search.stop(),
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    search.wait();
    answer
}

/// Keeps what is said, and hands it over at the end.
struct Listener {
    said: Vec<Info>,
    sender: Sender<Answer>,
}

impl Report for Listener {
    fn info(&mut self, info: &Info) {
        self.said.push(info.clone());
    }

    fn current_move(&mut self, _: u32, _: Move, _: usize) {}

    fn best(&mut self, best: Best) {
        let said = std::mem::take(&mut self.said);
        // Nobody listens any more only when whoever asked has gone.
        let _ = self.sender.send(Answer { said, best });
    }
}
