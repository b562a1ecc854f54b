//! `go`: starts a search, or perft, in the background.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Result;
use movegen::Move;
use search::{Limits, SearchControl};
use service::{BookMove, Job, background, perft};

use super::Session;
use super::task::Task;
use crate::output::score::UciScore;
use crate::uci::go::{GoRequest, is_limited};
use crate::uci::info::UciObserver;
use formats::typed_move;

/// A search with its output.
struct Search<W: Write + Send> {
    job: Job,
    observer: UciObserver<W>,
}

impl<W: Write + Send> Search<W> {
    fn run(mut self, control: &SearchControl) {
        // The observer has printed the move before the helper threads have ended.
        if let Err(error) = self.job.run(control, &mut self.observer) {
            self.observer.fail(error);
        }
    }

    /// Limits the search so that it ends soon and without another command.
    fn bounded(mut self) -> Self {
        const MAX_NODES: u64 = 100_000;
        let limits = &mut self.job.options.limits;
        limits.nodes = Some(limits.nodes.unwrap_or(MAX_NODES).min(MAX_NODES));
        limits.infinite = false;
        limits.ponder = false;
        self
    }
}

impl<W: Write + Send + 'static> Session<W> {
    /// Starts what is requested.
    pub(super) fn go(&mut self, request: &GoRequest, read_at: Instant) -> Result<()> {
        for error in &request.ignored {
            self.printer
                .error(format_args!("ignoring a part of 'go': {error}"));
        }
        match request.perft {
            _ if self.position_refused => {
                self.printer.error("the last position was refused");
                if request.perft.is_none() {
                    self.answer(request, "bestmove 0000");
                }
                Ok(())
            }
            Some(depth) => self.perft(depth),
            None if !self.position.game.position().has_moves() => {
                let in_check = self.position.game.position().in_check();
                let score = UciScore::of_end(in_check);
                let wdl = match (self.engine.config().show_wdl, in_check) {
                    (true, true) => " wdl 0 0 1000",
                    (true, false) => " wdl 0 1000 0",
                    (false, _) => "",
                };
                self.printer
                    .line(format_args!("info depth 0 score {score}{wdl}"));
                self.answer(request, "bestmove (none)");
                Ok(())
            }
            None => {
                self.search(request, read_at);
                Ok(())
            }
        }
    }

    fn search(&mut self, request: &GoRequest, read_at: Instant) {
        let search_moves = self.search_moves(request.searchmoves.as_deref());
        let position = self.position.game.position();
        let fallback = position.legal_moves().first().copied();
        let limits = request.limits(position.side_to_move(), search_moves);
        let initial_en_passant = self.position.initial_en_passant;
        let game = self.position.game.clone();
        let mut job = self.engine.reply(game, limits, initial_en_passant);
        job.options.started = read_at;
        job.options.not_before = job.pause();
        if let Some(outcome) = search::drawn_game(&self.position.game) {
            self.printer
                .line(format_args!("info string the game is over: {outcome}"));
        }
        self.describe(&job);
        let Limits {
            infinite, ponder, ..
        } = job.options.limits;
        let limited = is_limited(&job.options.limits);
        let config = self.engine.config();
        let answered = Arc::new(AtomicBool::new(false));
        let observer = UciObserver {
            printer: self.printer.clone(),
            notation: self.variant(),
            show_wdl: config.show_wdl,
            lines: config.search.multi_pv,
            started: read_at,
            answered: Arc::clone(&answered),
            chooser: job.chooser,
            fallback,
        };
        let search = Search { job, observer };
        match background::Task::start("search", search, Search::run) {
            Ok(task) => {
                self.task = Task::Search {
                    task,
                    answered,
                    infinite,
                    pondering: ponder,
                    limited,
                };
            }
            Err((error, search)) => {
                // A GUI waits for a move. Here no input is read until there is one.
                self.printer.error(error);
                search.bounded().run(&SearchControl::new());
            }
        }
    }

    /// Prints how the book and limited strength change a search.
    fn describe(&self, job: &Job) {
        for problem in &job.book_problems {
            self.printer.error(problem);
        }
        if let Some(picked) = &job.book_move {
            let BookMove { mv, weight } = picked.known;
            let seed = picked.seed.map(|seed| format!(", seed {seed}"));
            self.printer.line(format_args!(
                "info string book move {}, weight {weight} of {}{}",
                mv.uci(self.variant()),
                picked.total,
                seed.unwrap_or_default(),
            ));
        }
        if let (Some(chooser), Some(nodes)) = (&job.chooser, job.options.limits.nodes) {
            self.printer.line(format_args!(
                "info string strength limited to {nodes} nodes, seed {}",
                chooser.seed
            ));
        }
    }

    /// The legal moves of `searchmoves`; reports the others. Empty for all legal moves.
    fn search_moves(&self, texts: Option<&[String]>) -> Vec<Move> {
        if texts.is_some_and(<[String]>::is_empty) {
            self.printer
                .error("expected moves after 'searchmoves', found nothing; searching all moves");
        }
        let mut moves = Vec::new();
        for text in texts.unwrap_or_default() {
            match typed_move::parse(&self.position.game, text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => self
                    .printer
                    .error(format_args!("ignoring a move of 'searchmoves': {error}")),
            }
        }
        moves
    }

    /// Answers without a search, when the protocol allows it.
    fn answer(&mut self, request: &GoRequest, answer: &'static str) {
        if request.infinite || request.ponder {
            self.task = Task::NoMove {
                infinite: request.infinite,
                answer,
            };
        } else {
            self.printer.line(answer);
        }
    }

    fn perft(&mut self, depth: u32) -> Result<()> {
        let position = *self.position.game.position();
        let notation = self.variant();
        let threads = self.engine.config().threads;
        self.start_job("perft", move |printer, stop| {
            perft::count(&position, depth, threads, stop.flag())
                .map(|count| printer.lines(count.lines(notation)))
        })
    }
}
