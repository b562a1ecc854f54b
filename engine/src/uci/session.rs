//! The session: owns the search, the game and the settings, and does what each line asks.
//!
//! It lives on the thread that reads the input. What takes long runs elsewhere, so that the
//! next line is always read; what leaves this program goes through the printer.

mod book;
mod display;
mod go;
mod handicap;
mod running;
mod set_option;
mod task;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use movegen::Variant;
use search::nnue::Network;
use search::{SearchError, Searcher};
use thiserror::Error;

use crate::chance::Seed;
use crate::commands::bench::{self, BenchError};
use crate::commands::perft::PerftError;
use crate::eval_file::EvalFileError;
use crate::output::debug_log::DebugLogError;
use crate::output::printer::Printer;
use crate::uci::command::{self, Command, CommandError};
use crate::uci::options::{Assignment, Config, OptionError, OptionTable};
use crate::uci::position::{self, Base, PositionError, UciPosition};
use crate::{AUTHOR, NAME};
use common::input::{InputError, LineReader};

use book::{BookFileError, OpeningBook};
use task::Task;

/// Why a line could not be obeyed. What it would have changed is as before.
#[derive(Debug, Error)]
enum SessionError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    #[error(transparent)]
    Log(#[from] DebugLogError),
    #[error(transparent)]
    Book(#[from] BookFileError),
    #[error(transparent)]
    Perft(#[from] PerftError),
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error("no thread could be started for {what}: {source}")]
    Thread {
        what: &'static str,
        source: io::Error,
    },
    #[cfg(not(feature = "tune"))]
    #[error("this build has no numbers to tune; one made with the feature 'tune' has")]
    NotTunable,
}

/// What has to wait until no search is running.
#[derive(Debug)]
enum Deferred {
    SetOption(Assignment),
    NewGame,
}

#[derive(Debug)]
pub struct Session<W> {
    printer: Printer<W>,
    options: OptionTable,
    config: Config,
    /// Set by `debug`.
    debug: bool,
    position: UciPosition,
    book: OpeningBook,
    /// What a weaker player's choices depend on.
    strength_seed: Seed,
    /// Locked while a search runs.
    searcher: Arc<Mutex<Searcher>>,
    /// The searcher's.
    network: Arc<Network>,
    task: Task,
    deferred: VecDeque<Deferred>,
}

impl<W: Write + Send + 'static> Session<W> {
    pub fn new(printer: Printer<W>, options: OptionTable) -> Result<Session<W>, SearchError> {
        let config = options.default_config();
        let searcher = Searcher::new(config.hash)?;
        Ok(Session {
            network: Arc::clone(searcher.network()),
            searcher: Arc::new(Mutex::new(searcher)),
            printer,
            options,
            config,
            debug: false,
            position: UciPosition::default(),
            book: OpeningBook::default(),
            strength_seed: Seed::default(),
            task: Task::Idle,
            deferred: VecDeque::new(),
        })
    }

    /// Obeys line after line until `quit`, the end of the input, or until nobody reads the
    /// answers. Fails only when the input cannot be read.
    pub fn run(mut self, input: impl BufRead) -> Result<(), InputError> {
        let mut input = LineReader::new(input);
        while !self.printer.is_closed() {
            match input.next_line() {
                Ok(Some(line)) => {
                    if self.obey(&line).is_break() {
                        self.halt();
                        return Ok(());
                    }
                }
                Ok(None) => {
                    self.finish();
                    return Ok(());
                }
                Err(error @ InputError::Read(_)) => {
                    self.halt();
                    return Err(error);
                }
                Err(error) => self.printer.error(error),
            }
        }
        self.halt();
        Ok(())
    }

    /// Obeys one line; `Break` means leave.
    pub fn obey(&mut self, line: &str) -> ControlFlow<()> {
        let read_at = Instant::now();
        self.printer.heard(line);
        self.catch_up();
        match self.answer(line, read_at) {
            Ok(flow) => flow,
            Err(error) => {
                self.printer.error(error);
                ControlFlow::Continue(())
            }
        }
    }

    fn answer(&mut self, line: &str, read_at: Instant) -> Result<ControlFlow<()>, SessionError> {
        let Some(command) = Command::parse(line)? else {
            return Ok(ControlFlow::Continue(()));
        };
        self.keep_order(&command);
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.printer.line("readyok"),
            Command::NewGame => self.when_at_rest(Deferred::NewGame)?,
            Command::Debug(on) => self.debug = on,
            Command::Register => {}
            Command::Position { base, moves } => self.set_position(&base, &moves)?,
            Command::Go(request) => self.go(&request, read_at)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::SetOption { name, value } => {
                let assignment = self.options.parse(&name, &value)?;
                self.set_option(assignment)?;
            }
            Command::Display => {
                let lines = display::lines(&self.position.game, self.notation());
                self.printer.lines(lines);
            }
            Command::Flip => self.position = self.position.flipped()?,
            Command::Bench { depth } => self.bench(depth)?,
            Command::Help => self.printer.lines(command::help()),
            Command::Tune => self.tune()?,
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Eval => {
                let eval_trace = search::eval_trace(self.position.game.position(), &self.network);
                self.printer.line(eval_trace);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Waits for a running search. A panic in one leaves nothing that the next would trip over.
    fn searcher(&self) -> MutexGuard<'_, Searcher> {
        self.searcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn introduce(&self) {
        let head = [format!("id name {NAME}"), format!("id author {AUTHOR}")];
        let tail = ["uciok".to_owned()];
        let options = self.options.lines();
        self.printer
            .lines(head.into_iter().chain(options).chain(tail));
    }

    /// How moves and FENs are written. Chess960 switched off leaves a game read in it as it
    /// is: its castling moves could not be told from the king's steps otherwise.
    fn notation(&self) -> Variant {
        if self.config.chess960 {
            Variant::Chess960
        } else {
            self.position.variant
        }
    }

    fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), PositionError> {
        let variant = match self.config.chess960 {
            true => Variant::Chess960,
            false => Variant::Standard,
        };
        self.position = UciPosition::new(base, moves, variant)?;
        if self.debug {
            let dropped = position::dropped_castling_rights(base, variant);
            self.printer
                .lines(dropped.iter().map(|line| format!("info string {line}")));
        }
        Ok(())
    }

    fn bench(&mut self, depth: Option<u32>) -> Result<(), SessionError> {
        self.halt();
        let printer = self.printer.clone();
        let network = Arc::clone(&self.network);
        self.task = Task::job("the bench", move |stop| {
            let said = bench::bench(depth, network, stop, |line| printer.line(line));
            if let Err(error) = said {
                printer.error(error);
            }
        })?;
        Ok(())
    }

    #[cfg(feature = "tune")]
    #[allow(clippy::unnecessary_wraps)]
    fn tune(&self) -> Result<(), SessionError> {
        self.printer.lines(crate::uci::options::tune_lines());
        Ok(())
    }

    #[cfg(not(feature = "tune"))]
    fn tune(&self) -> Result<(), SessionError> {
        Err(SessionError::NotTunable)
    }
}
