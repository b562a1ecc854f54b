//! The session: owns the searcher, the position and the options, and executes commands.
//!
//! It runs on the thread that reads the input. Searches, perft and the benchmark run in the
//! background, so that no command waits for them; all output goes through the printer.

mod background;
mod book;
mod display;
mod go;
mod task;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use movegen::Variant;
use search::nnue::Network;
use search::{SearchError, Searcher, Tablebases};
use thiserror::Error;

use crate::AUTHOR;
use crate::commands::bench::{self, BenchError};
use crate::commands::genfens::{self, GenFens};
use crate::commands::perft::PerftError;
use crate::eval_file::{self, EvalFileError};
use crate::output::debug_log::DebugLogError;
use crate::output::printer::Printer;
use crate::uci::command::{self, Command, CommandError};
use crate::uci::options::{Assignment, Config, Effect, OptionError, OptionTable};
use crate::uci::position::{Base, PositionError, UciPosition};
use common::input::{InputError, LineReader};
use game::NAME;
use game::memory::{self, MemoryError};
use game::seed::GameSeed;

use book::{BookFileError, OpeningBook};
use task::{Deferred, Needed, Task};

/// Why a command failed. It has changed nothing.
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
    #[error("{0}; Hash is unchanged")]
    Memory(#[from] MemoryError),
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
    #[error("cannot start a thread for {name}: {source}")]
    Thread {
        name: &'static str,
        source: io::Error,
    },
    #[cfg(not(feature = "tune"))]
    #[error("this build has no tunable parameters; build with the feature 'tune'")]
    NotTunable,
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
    /// For the choices at limited strength.
    strength_seed: GameSeed,
    /// Locked while a search runs.
    searcher: Arc<Mutex<Searcher>>,
    /// The searcher's network, for commands during a search.
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
            strength_seed: GameSeed::default(),
            task: Task::Idle,
            deferred: VecDeque::new(),
        })
    }

    /// Executes lines until `quit`, the end of the input, or until the output is closed. Fails only
    /// if the input cannot be read.
    pub fn run(self, input: impl BufRead + 'static) -> Result<(), InputError> {
        background::run(self, LineReader::new(input))
    }

    /// Executes one line, or ends with the input; `Break` means exit.
    fn handle_input(
        &mut self,
        input: Result<Option<String>, InputError>,
    ) -> Result<ControlFlow<()>, InputError> {
        let flow = match input {
            Ok(Some(line)) => self.handle_line(&line),
            Ok(None) => {
                self.finish();
                ControlFlow::Break(())
            }
            Err(error @ InputError::Read(_)) => return Err(error),
            Err(error) => {
                self.printer.error(error);
                ControlFlow::Continue(())
            }
        };
        Ok(match self.printer.is_closed() {
            true => ControlFlow::Break(()),
            false => flow,
        })
    }

    /// Executes some lines and waits for the result. `input` is read only during a search that
    /// would not end without another command.
    pub fn run_commands<R: BufRead + 'static>(
        mut self,
        lines: &[String],
        input: impl FnOnce() -> R,
    ) -> Result<(), InputError> {
        for line in lines {
            if self.handle_line(line).is_break() {
                self.stop_and_wait();
                return Ok(());
            }
        }
        if self.task.is_endless() {
            return self.run(input());
        }
        self.finish();
        Ok(())
    }

    /// Executes one line; `Break` means exit.
    pub fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        let read_at = Instant::now();
        self.printer.log_input(line);
        self.catch_up();
        match self.execute(line, read_at) {
            Ok(flow) => flow,
            Err(error) => {
                self.printer.error(error);
                ControlFlow::Continue(())
            }
        }
    }

    fn execute(&mut self, line: &str, read_at: Instant) -> Result<ControlFlow<()>, SessionError> {
        let Some(command) = Command::parse(line)? else {
            return Ok(ControlFlow::Continue(()));
        };
        match self.needed_by(&command) {
            Needed::Nothing => {}
            Needed::End => self.wait(),
            Needed::Stop => self.stop_and_wait(),
        }
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.printer.line("readyok"),
            Command::NewGame => self.execute_when_idle(Deferred::NewGame)?,
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
            Command::GenFens(request) => self.gen_fens(request)?,
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

    /// Waits for a running search. A panic in a search does not poison the next one.
    fn searcher(&self) -> MutexGuard<'_, Searcher> {
        self.searcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn identify(&self) {
        let head = [format!("id name {NAME}"), format!("id author {AUTHOR}")];
        let tail = ["uciok".to_owned()];
        let options = self.options.lines();
        self.printer
            .lines(head.into_iter().chain(options).chain(tail));
    }

    /// How moves and FENs are written. A Chess960 game stays one when the option is switched off,
    /// since its castling moves could otherwise be taken for king moves.
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
            let dropped = base.dropped(variant);
            self.printer
                .lines(dropped.iter().map(|line| format!("info string {line}")));
        }
        Ok(())
    }

    /// Sets an option, if necessary after the end of a running search.
    fn set_option(&mut self, assignment: Assignment) -> Result<(), SessionError> {
        if assignment.effect.needs_idle_search() {
            self.execute_when_idle(Deferred::SetOption(assignment))
        } else {
            self.apply(&assignment)
        }
    }

    /// Changes nothing if it fails.
    fn apply(&mut self, assignment: &Assignment) -> Result<(), SessionError> {
        let mut config = self.config.clone();
        assignment.apply(&mut config);
        match assignment.effect {
            Effect::Nothing => {}
            Effect::ResizeHash => {
                memory::check_hash(config.hash)?;
                self.searcher().set_hash(config.hash)?;
            }
            Effect::ClearHash => self.searcher().clear_hash(),
            Effect::StartThreads => self.searcher().set_threads(config.threads)?,
            Effect::LoadNetwork => {
                self.network = eval_file::network(config.eval_file.as_deref())?;
                self.searcher().set_network(Arc::clone(&self.network));
            }
            Effect::LoadTablebases => self.load_tablebases(&config),
            Effect::OpenBook => self.book.open(config.book_file.as_deref())?,
            Effect::SeedBook => self.book.set_seed(config.book_seed),
            Effect::SeedStrength => self.strength_seed = GameSeed::new(config.strength_seed),
            Effect::OpenDebugLog => self.printer.log_to(config.debug_log_file.as_deref())?,
            #[cfg(feature = "tune")]
            Effect::Tune => {}
        }
        self.config = config;
        Ok(())
    }

    /// Reports missing directories and broken files, and uses the rest.
    fn load_tablebases(&mut self, config: &Config) {
        let (tablebases, errors) = Tablebases::find(&config.syzygy_path);
        for error in errors {
            self.printer.error(error);
        }
        let count = tablebases.count();
        self.searcher().set_tablebases(tablebases);
        if !config.syzygy_path.is_empty() {
            self.printer.line(format_args!("info string {count}"));
        }
    }

    fn bench(&mut self, depth: Option<u32>) -> Result<(), SessionError> {
        let printer = self.printer.clone();
        let network = Arc::clone(&self.network);
        self.task = Task::job("bench", move |stop| {
            let result = bench::bench(depth, network, stop, |line| printer.line(line));
            if let Err(error) = result {
                printer.error(error);
            }
        })?;
        Ok(())
    }

    fn gen_fens(&mut self, request: GenFens) -> Result<(), SessionError> {
        let printer = self.printer.clone();
        let network = Arc::clone(&self.network);
        self.task = Task::job("genfens", move |stop| {
            let result =
                genfens::generate(&request, network, stop, |opening| printer.line(opening));
            if let Err(error) = result {
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
