//! The session: owns the search, the game and the settings, and does what each line asks.
//!
//! It lives on the thread that reads the input. What takes long runs elsewhere, so that the
//! next line is always read; what leaves this program goes through the printer.

mod book;
mod display;
mod flip;
mod go;
mod handicap;
mod place;
mod running;
mod settings;
mod task;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use movegen::{Game, Square, Variant};
use search::nnue::Network;
use search::{SearchError, Searcher};
use thiserror::Error;

use crate::chance::Seed;
use crate::commands::bench::{self, BenchError};
use crate::commands::perft::PerftError;
use crate::eval_file::EvalFileError;
use crate::output::printer::Printer;
use crate::uci::command::Command;
use crate::uci::debug_log::DebugLogError;
use crate::uci::error::UciError;
use crate::uci::help::HELP;
use crate::uci::options::{OptionTable, Setting};
use crate::{AUTHOR, NAME};
use common::input::{InputError, LineReader};

use book::{BookFileError, OpeningBook};
use place::PlaceError;
pub(crate) use place::{Placed, WordsError};
use settings::Settings;
use task::Task;

/// Why a line could not be obeyed. What it would have changed is as before.
#[derive(Debug, Error)]
enum SessionError {
    #[error(transparent)]
    Line(#[from] UciError),
    #[error(transparent)]
    Place(#[from] PlaceError),
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
    Setting(Setting),
    NewGame,
}

#[derive(Debug)]
pub struct Session<W> {
    printer: Printer<W>,
    options: OptionTable,
    settings: Settings,
    game: Game,
    /// The square a pawn has passed over to reach the start of the game, as its FEN says.
    passed_at_start: Option<Square>,
    /// How the game was read.
    variant: Variant,
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
        let settings = Settings::new(options.defaults());
        let searcher = Searcher::new(settings.hash_mebibytes)?;
        Ok(Session {
            network: Arc::clone(searcher.network()),
            searcher: Arc::new(Mutex::new(searcher)),
            printer,
            options,
            settings,
            game: Game::default(),
            passed_at_start: None,
            variant: Variant::Standard,
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
            Command::Debug(on) => self.settings.debug = on,
            Command::Register => {}
            Command::Position { base, moves } => self.place(&base, &moves)?,
            Command::Go(request) => self.go(&request, read_at)?,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::SetOption { name, value } => {
                let setting = self
                    .options
                    .read(&name, value.as_deref())
                    .map_err(UciError::from)?;
                self.set(setting)?;
            }
            Command::Display => {
                let lines = display::lines(&self.game, self.notation());
                self.printer.lines(lines);
            }
            Command::Flip => self.flip()?,
            Command::Bench { depth } => self.bench(depth)?,
            Command::Help => self.printer.lines(HELP),
            Command::Tune => self.tune()?,
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Eval => {
                let eval_trace = search::eval_trace(self.game.position(), &self.network);
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
        if self.settings.chess960 {
            Variant::Chess960
        } else {
            self.variant
        }
    }

    fn bench(&mut self, depth: Option<u32>) -> Result<(), SessionError> {
        self.halt();
        let printer = self.printer.clone();
        let network = Arc::clone(&self.network);
        self.task = Task::job("the bench", move |stop| {
            let said = bench::run(depth, network, stop, |line| printer.line(line));
            if let Err(error) = said {
                printer.error(error);
            }
        })?;
        Ok(())
    }

    #[cfg(feature = "tune")]
    #[allow(clippy::unnecessary_wraps)]
    fn tune(&self) -> Result<(), SessionError> {
        self.printer.lines(crate::uci::tune::lines());
        Ok(())
    }

    #[cfg(not(feature = "tune"))]
    fn tune(&self) -> Result<(), SessionError> {
        Err(SessionError::NotTunable)
    }
}
