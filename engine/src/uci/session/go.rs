//! `go`: from what was typed to limits that mean something in this position.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use movegen::{Color, Move};
use search::{Limits, PlayerClock, SearchOptions, Stop};

use super::task::{Task, spawn};
use super::{Session, SessionError};
use crate::commands::perft;
use crate::uci::command::GoRequest;
use crate::uci::report::WireReport;
use common::excerpt;

impl<W: Write + Send + 'static> Session<W> {
    /// Starts what was asked for, in place of what runs.
    pub(super) fn go(&mut self, request: &GoRequest, read_at: Instant) -> Result<(), SessionError> {
        self.halt();
        match request.perft {
            Some(depth) => self.count(depth),
            None if !self.game.position().has_moves() => {
                self.answer_no_move(request);
                Ok(())
            }
            None => self.search(request, read_at),
        }
    }

    fn search(&mut self, request: &GoRequest, read_at: Instant) -> Result<(), SessionError> {
        let search_moves = match &request.searchmoves {
            Some(texts) => self.search_moves(texts),
            None => Vec::new(),
        };
        let mut limits = limits(request, self.game.position().side_to_move(), search_moves);
        if let Some(mv) = self.book_move(&limits) {
            limits = only(mv, limits.ponder);
        }
        let answered = Arc::new(AtomicBool::new(false));
        let (infinite, pondering) = (limits.infinite, limits.ponder);
        let limited = is_limited(&limits);
        let report = WireReport::new(
            self.printer.clone(),
            self.notation(),
            self.settings.show_wdl,
            read_at,
            Arc::clone(&answered),
            self.game.position().legal_moves().first().copied(),
        );
        let level = self.level(&limits);
        let options = SearchOptions {
            limits,
            multi_pv: self.settings.multi_pv,
            tablebases: self.settings.tablebases,
            move_overhead: self.settings.move_overhead,
            not_before: Duration::ZERO,
            started: read_at,
        };
        let stop = Stop::new();
        let thread = match level {
            Some(level) => self.play_weaker(level, options, stop.clone(), report)?,
            None => self.play(options, stop.clone(), report)?,
        };
        self.task = Task::Search {
            stop,
            thread,
            answered,
            infinite,
            pondering,
            limited,
        };
        Ok(())
    }

    fn play(
        &self,
        options: SearchOptions,
        stop: Stop,
        mut report: WireReport<W>,
    ) -> Result<JoinHandle<()>, SessionError> {
        let (searcher, game) = (Arc::clone(&self.searcher), self.game.clone());
        spawn("the search", move || {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let outcome = searcher.search(&game, &options, &stop, &mut report);
            report.best(outcome.best_move, outcome.ponder);
        })
    }

    /// The legal ones among moves that were typed; the others are named.
    fn search_moves(&self, texts: &[String]) -> Vec<Move> {
        if texts.is_empty() {
            self.printer
                .error("'searchmoves' names no move; all legal moves are searched");
        }
        let mut moves = Vec::new();
        for text in texts {
            match self.game.position().move_from_uci(text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => self.printer.error(format_args!(
                    "searchmoves '{}': {error}; ignored",
                    excerpt(text)
                )),
            }
        }
        moves
    }

    fn answer_no_move(&mut self, request: &GoRequest) {
        let score = match self.game.position().in_check() {
            true => "mate 0",
            false => "cp 0",
        };
        self.printer
            .line(format_args!("info depth 0 score {score}"));
        if request.infinite || request.ponder {
            self.task = Task::NoMove {
                infinite: request.infinite,
            };
        } else {
            self.printer.line("bestmove (none)");
        }
    }

    fn count(&mut self, depth: u32) -> Result<(), SessionError> {
        let position = *self.game.position();
        let notation = self.notation();
        let threads = self.settings.threads;
        let printer = self.printer.clone();
        self.task = Task::job("perft", move |stop| {
            match perft::count(&position, depth, threads, stop.flag()) {
                Ok(count) => printer.lines(count.lines(notation)),
                Err(error) => printer.error(error),
            }
        })?;
        Ok(())
    }
}

/// What was asked, made sense of: no limit at all means until `stop`, and nothing is searched
/// less than one ply, one node or one move to mate deep.
fn limits(request: &GoRequest, mover: Color, search_moves: Vec<Move>) -> Limits {
    let mut limits = Limits {
        depth: request.depth.map(|depth| depth.max(1)),
        nodes: request.nodes.map(|nodes| nodes.max(1)),
        soft_nodes: None,
        move_time: request.movetime,
        clocks: clocks(request, mover),
        moves_to_go: request.movestogo,
        mate: request.mate.map(|moves| moves.max(1)),
        infinite: request.infinite,
        ponder: request.ponder,
        search_moves,
    };
    if !is_limited(&limits) && !limits.ponder {
        limits.infinite = true;
    }
    limits
}

/// A move that is already chosen, looked at just deep enough to be told with a score, by the
/// rules every answer keeps: none before a ponder hit.
fn only(mv: Move, ponder: bool) -> Limits {
    Limits {
        depth: Some(1),
        ponder,
        search_moves: vec![mv],
        ..Limits::default()
    }
}

fn is_limited(limits: &Limits) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.move_time.is_some()
        || limits.mate.is_some()
        || limits.clocks.iter().any(|clock| clock.remaining.is_some())
}

/// Where only part was said, the mover has at least some clock: the opponent's, or the
/// increment alone. Playing on without one would lose on time.
fn clocks(request: &GoRequest, mover: Color) -> [PlayerClock; 2] {
    let clock = |remaining: Option<Duration>, increment: Option<Duration>| PlayerClock {
        remaining,
        increment: increment.unwrap_or_default(),
    };
    let mut clocks = [
        clock(request.wtime, request.winc),
        clock(request.btime, request.binc),
    ];
    let [white, black] = &mut clocks;
    let (own, other) = match mover {
        Color::White => (white, black),
        Color::Black => (black, white),
    };
    if own.remaining.is_none() {
        let increment = (!own.increment.is_zero()).then_some(own.increment);
        own.remaining = other.remaining.or(increment);
    }
    clocks
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use movegen::Color;

    use super::limits;
    use crate::uci::command::{Command, GoRequest};

    fn request(line: &str) -> GoRequest {
        match Command::parse(line) {
            Ok(Some(Command::Go(request))) => request,
            other => panic!("{line:?} gave {other:?}"),
        }
    }

    fn remaining(line: &str, mover: Color) -> Option<Duration> {
        limits(&request(line), mover, Vec::new()).clocks[mover.index()].remaining
    }

    #[test]
    fn whoever_is_to_move_has_a_clock_if_any_was_given() {
        for mover in Color::ALL {
            for line in ["go wtime 100", "go btime 100", "go winc 100 binc 100"] {
                let clock = Some(Duration::from_millis(100));
                assert_eq!(remaining(line, mover), clock, "{line} {mover}");
            }
            assert_eq!(remaining("go depth 3", mover), None);
        }
        let both = "go wtime 1000 btime 2000";
        assert_eq!(remaining(both, Color::White), Some(Duration::from_secs(1)));
        assert_eq!(remaining(both, Color::Black), Some(Duration::from_secs(2)));
    }

    #[test]
    fn no_limit_is_until_stop_and_any_limit_is_not() {
        let infinite = |line| limits(&request(line), Color::White, Vec::new()).infinite;
        for line in ["go", "go infinite", "go searchmoves e2e4", "go movestogo 3"] {
            assert!(infinite(line), "{line}");
        }
        for line in [
            "go depth 1",
            "go mate 2",
            "go nodes 5",
            "go movetime 1",
            "go wtime 1",
        ] {
            assert!(!infinite(line), "{line}");
        }
        assert!(!infinite("go ponder"), "a ponder hit ends it");
    }

    #[test]
    fn nothing_is_searched_for_nothing() {
        let limits = limits(
            &request("go depth 0 nodes 0 mate 0"),
            Color::White,
            Vec::new(),
        );
        assert_eq!(limits.depth, Some(1));
        assert_eq!(limits.nodes, Some(1));
        assert_eq!(limits.mate, Some(1));
    }
}
