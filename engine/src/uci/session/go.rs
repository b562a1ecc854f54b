//! `go`: from what was typed to limits that mean something in this position.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use movegen::Move;
use search::{Limits, SearchOptions, Stop};

use super::task::{Task, spawn};
use super::{Session, SessionError};
use crate::commands::perft;
use crate::uci::go::{GoRequest, is_limited};
use crate::uci::report::WireReport;
use common::excerpt;

impl<W: Write + Send + 'static> Session<W> {
    /// Starts what was asked for, in place of what runs.
    pub(super) fn go(&mut self, request: &GoRequest, read_at: Instant) -> Result<(), SessionError> {
        self.halt();
        match request.perft {
            Some(depth) => self.count(depth),
            None if !self.position.game.position().has_moves() => {
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
        let mut limits = request.limits(self.position.game.position().side_to_move(), search_moves);
        if let Some(mv) = self.book_move(&limits) {
            limits = only(mv, limits.ponder);
        }
        let answered = Arc::new(AtomicBool::new(false));
        let (infinite, pondering) = (limits.infinite, limits.ponder);
        let limited = is_limited(&limits);
        let report = WireReport::new(
            self.printer.clone(),
            self.notation(),
            self.config.show_wdl,
            read_at,
            Arc::clone(&answered),
            self.position.game.position().legal_moves().first().copied(),
        );
        let level = self.level(&limits);
        let options = SearchOptions {
            limits,
            multi_pv: self.config.multi_pv,
            tablebases: self.config.tablebases,
            move_overhead: self.config.move_overhead,
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
        let (searcher, game) = (Arc::clone(&self.searcher), self.position.game.clone());
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
            match self.position.game.position().move_from_uci(text) {
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
        let score = match self.position.game.position().in_check() {
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
        let position = *self.position.game.position();
        let notation = self.notation();
        let threads = self.config.threads;
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
