//! `go`: starts a search, or perft, in the background.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use movegen::{Game, Move};
use search::{Limits, SearchControl, SearchOptions, Searcher};

use super::background::{self, spawn};
use super::task::Task;
use super::{Session, SessionError};
use crate::commands::perft;
use crate::uci::go::{GoRequest, is_limited};
use crate::uci::info::UciObserver;
use crate::uci::position::parse_move;
use game::strength::{Chooser, Level, pause};

/// A search with its output.
struct Search<W: Write + Send> {
    searcher: Arc<Mutex<Searcher>>,
    game: Game,
    options: SearchOptions,
    stop: SearchControl,
    observer: UciObserver<W>,
    chooser: Option<Chooser>,
}

impl<W: Write + Send> Search<W> {
    fn run(mut self) {
        let mut searcher = self.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = searcher.search(&self.game, &self.options, &self.stop, &mut self.observer);
        self.observer.finish(&outcome, self.chooser.as_ref());
    }
}

/// The options of a search that ends without another command, and soon.
fn bounded(options: SearchOptions) -> SearchOptions {
    const MAX_NODES: u64 = 100_000;
    let limits = options.limits;
    SearchOptions {
        limits: Limits {
            nodes: Some(limits.nodes.unwrap_or(MAX_NODES).min(MAX_NODES)),
            infinite: false,
            ponder: false,
            ..limits
        },
        ..options
    }
}

impl<W: Write + Send + 'static> Session<W> {
    /// Starts what is requested.
    pub(super) fn go(&mut self, request: &GoRequest, read_at: Instant) -> Result<(), SessionError> {
        match request.perft {
            Some(depth) => self.perft(depth),
            None if !self.position.game.position().has_moves() => {
                self.search_without_moves(request);
                Ok(())
            }
            None => self.search(request, read_at),
        }
    }

    fn search(&mut self, request: &GoRequest, read_at: Instant) -> Result<(), SessionError> {
        let search_moves = self.search_moves(request.searchmoves.as_deref());
        let side_to_move = self.position.game.position().side_to_move();
        let mut limits = request.limits(side_to_move, search_moves);
        if let Some(mv) = self.book_move(&limits) {
            // Searched to depth 1, so that the answer has a score and waits for a ponder hit.
            limits = Limits {
                depth: Some(1),
                ponder: limits.ponder,
                search_moves: vec![mv],
                ..Limits::default()
            };
        }
        let answered = Arc::new(AtomicBool::new(false));
        let (infinite, pondering) = (limits.infinite, limits.ponder);
        let limited = is_limited(&limits);
        let observer = UciObserver {
            printer: self.printer.clone(),
            notation: self.notation(),
            show_wdl: self.config.show_wdl,
            lines: self.config.multi_pv,
            started: read_at,
            answered: Arc::clone(&answered),
            fallback: self.position.game.position().legal_moves().first().copied(),
        };
        let level = self.level(&limits);
        let mut options = SearchOptions {
            limits,
            multi_pv: self.config.multi_pv,
            tablebases: self.config.tablebases,
            move_overhead: self.config.move_overhead,
            not_before: Duration::ZERO,
            started: read_at,
        };
        let chooser = level.map(|level| self.limit_strength(level, &mut options));
        let stop = background::control();
        let mut search = Search {
            searcher: Arc::clone(&self.searcher),
            game: self.position.game.clone(),
            options,
            stop: stop.clone(),
            observer,
            chooser,
        };
        let (sender, receiver) = channel::<Search<W>>();
        let thread = spawn("search", move || {
            if let Ok(search) = receiver.recv() {
                search.run();
            }
        });
        let thread = match thread {
            Ok(thread) => thread,
            Err(error) => {
                // A GUI waits for a move. Here no input is read until there is one.
                self.printer.error(error);
                search.options = bounded(search.options);
                search.run();
                return Ok(());
            }
        };
        // Fails only if the thread has ended.
        let _ = sender.send(search);
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

    /// The legal moves of `searchmoves`; reports the others. Empty for all legal moves.
    fn search_moves(&self, texts: Option<&[String]>) -> Vec<Move> {
        if texts.is_some_and(<[String]>::is_empty) {
            self.printer
                .error("expected moves after 'searchmoves', found nothing; searching all moves");
        }
        let mut moves = Vec::new();
        for text in texts.unwrap_or_default() {
            match parse_move(&self.position.game, text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => self
                    .printer
                    .error(format_args!("ignoring a move of 'searchmoves': {error}")),
            }
        }
        moves
    }

    fn search_without_moves(&mut self, request: &GoRequest) {
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

    fn perft(&mut self, depth: u32) -> Result<(), SessionError> {
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

    /// The level of play; `None` for full strength, which analysis always has: `go infinite`,
    /// `go mate` and `UCI_AnalyseMode`.
    fn level(&self, limits: &Limits) -> Option<Level> {
        let config = &self.config;
        if config.analyse_mode || limits.infinite || limits.mate.is_some() {
            None
        } else if config.limit_strength {
            Some(Level::of_elo(config.elo))
        } else {
            Level::of_skill(config.skill_level)
        }
    }

    /// Adapts a search to a level; the result chooses the move afterwards.
    fn limit_strength(&mut self, level: Level, options: &mut SearchOptions) -> Chooser {
        /// Spreads move numbers over all bits.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let position = self.position.game.position();
        let seed = self.strength_seed.take();
        self.printer.line(format_args!(
            "info string strength limited to {} nodes, seed {seed}",
            level.nodes
        ));
        // With the move number, a position that is repeated may be answered differently.
        let number = u64::from(position.fullmove_number()).wrapping_mul(SPREAD);
        let chooser = Chooser {
            spread: level.spread,
            seed: seed.into(),
            key: position.key() ^ number,
        };
        options.multi_pv = options.multi_pv.max(level.lines);
        let side_to_move = position.side_to_move();
        options.not_before = pause(&options.limits, side_to_move, chooser.pause_part());
        options.limits = level.limited(std::mem::take(&mut options.limits));
        chooser
    }
}
