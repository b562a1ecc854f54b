//! The session: owns the searcher, the position and the options, and executes commands.
//!
//! It runs on the thread that reads the input. Searches, perft and the benchmark run in the
//! background, so that no command waits for them; all output goes through the printer.

mod display;
mod go;
#[cfg(target_family = "wasm")]
mod polled;
mod task;

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use common::NAME;
use common::input::InputError;
use movegen::Variant;
use search::{SearchError, bench};
use service::{Assignment, Effect, Engine, OptionTable};

use crate::AUTHOR;
use crate::output::printer::Printer;
use crate::uci::command::{self, UciCommand, UciCommandError};
use crate::uci::genfens::{self, GenFens};
use formats::uci_position::{Base, PositionError, UciPosition};

use task::{Deferred, Needed, Task};

#[derive(Debug)]
pub struct Session<W> {
    printer: Printer<W>,
    /// Those of the program, which people type here too.
    subcommands: Vec<String>,
    engine: Engine,
    position: UciPosition,
    /// The last `position` was refused: nothing is searched until one is accepted.
    position_refused: bool,
    task: Task,
    deferred: VecDeque<Deferred>,
    /// A job, or what waited for a search, has failed and said why.
    failed: Arc<AtomicBool>,
}

impl<W: Write + Send + 'static> Session<W> {
    /// `subcommands` are the program's.
    pub fn new(
        printer: Printer<W>,
        options: OptionTable,
        subcommands: Vec<String>,
    ) -> Result<Self, SearchError> {
        let engine = Engine::new(options);
        engine.prepare()?;
        Ok(Self {
            printer,
            subcommands,
            engine,
            position: UciPosition::default(),
            position_refused: false,
            task: Task::Idle,
            deferred: VecDeque::new(),
            failed: Arc::default(),
        })
    }

    /// Executes lines until `quit`, the end of the input, or until the output is closed. Fails only
    /// if the input cannot be read.
    #[cfg(not(target_family = "wasm"))]
    pub fn run(mut self, input: impl BufRead + 'static) -> Result<(), InputError> {
        let mut input = common::input::LineReader::new(input);
        let mut flow = Ok(ControlFlow::Continue(()));
        while let Ok(ControlFlow::Continue(())) = flow {
            flow = self.handle_input(input.next_line());
        }
        self.stop_and_wait();
        flow.map(drop)
    }

    /// Executes one line, or ends with the input; `Break` means exit.
    fn handle_input(
        &mut self,
        input: Result<Option<String>, InputError>,
    ) -> Result<ControlFlow<()>, InputError> {
        let flow = match input {
            Ok(Some(line)) => self.handle_line(&line).unwrap_or_else(|error| {
                self.printer.error(error);
                ControlFlow::Continue(())
            }),
            Ok(None) => {
                self.finish();
                ControlFlow::Break(())
            }
            Err(error @ InputError::Read(_)) => return Err(error),
            Err(error) => {
                // It may have been a `position`.
                self.position_refused = true;
                self.printer.error(error);
                ControlFlow::Continue(())
            }
        };
        Ok(if self.printer.is_closed() {
            ControlFlow::Break(())
        } else {
            flow
        })
    }

    /// Executes some lines up to the first that fails, each after the result of the one before it;
    /// false if one has failed later and said why. `input` is read only during a search that would
    /// not end without another command.
    pub fn run_commands<R: BufRead + 'static>(
        mut self,
        lines: &[String],
        input: impl FnOnce() -> R,
    ) -> Result<bool> {
        for line in lines {
            if let Ok(Some(UciCommand::Go(request))) = UciCommand::parse(line)
                && let Some(error) = request.ignored.into_iter().next()
            {
                self.stop_and_wait();
                return Err(error.into());
            }
            let flow = self.handle_line(line);
            if !self.task.is_endless() {
                self.wait();
                self.catch_up();
            }
            let failed = self.failed.load(Ordering::Relaxed);
            if failed || !matches!(flow, Ok(ControlFlow::Continue(()))) {
                self.stop_and_wait();
                return flow.map(|_| !failed);
            }
        }
        let failed = Arc::clone(&self.failed);
        if self.task.is_endless() {
            self.run(input())?;
        }
        Ok(!failed.load(Ordering::Relaxed))
    }

    /// Executes one line; `Break` means exit.
    fn handle_line(&mut self, line: &str) -> Result<ControlFlow<()>> {
        let read_at = Instant::now();
        self.printer.log_input(line);
        self.catch_up();
        self.execute(line, read_at)
    }

    fn execute(&mut self, line: &str, read_at: Instant) -> Result<ControlFlow<()>> {
        let parsed = UciCommand::parse(line);
        self.position_refused |= matches!(parsed, Err(UciCommandError::Position(_)));
        if let Err(UciCommandError::Unknown { word, nearest }) = &parsed {
            let mut names = self.subcommands.iter();
            let known = names.find(|name| word.eq_ignore_ascii_case(name));
            let of_game = nearest.iter().find(|name| command::OF_GAMES.contains(name));
            if let Some((name, subcommand)) = known
                .map(|name| (name.as_str(), name.as_str()))
                .or(of_game.map(|name| (*name, "play")))
            {
                let advice = format!("'quit' leaves, then type 'castellan {subcommand}'");
                bail!("'{name}' is not a UCI command; {advice}");
            }
        }
        let Some(command) = parsed? else {
            return Ok(ControlFlow::Continue(()));
        };
        match self.needed_by(&command) {
            Needed::Nothing => {}
            Needed::End => self.wait(),
            Needed::Stop => self.stop_and_wait(),
        }
        match command {
            UciCommand::Uci => self.identify(),
            UciCommand::IsReady => self.printer.line("readyok"),
            UciCommand::NewGame => self.execute_when_idle(Deferred::NewGame)?,
            UciCommand::Debug | UciCommand::Register => {}
            UciCommand::Position { base, moves } => self.set_position(&base, &moves)?,
            UciCommand::Go(request) => self.go(&request, read_at)?,
            UciCommand::Stop => self.stop(),
            UciCommand::PonderHit => self.ponder_hit(),
            UciCommand::SetOption { name, value } => {
                let assignment = self.engine.parse(&name, &value)?;
                self.set_option(assignment)?;
            }
            UciCommand::Display => {
                let lines = display::lines(&self.position.game, self.variant());
                self.printer.lines(lines);
            }
            UciCommand::Flip => self.position = self.position.flipped()?,
            UciCommand::Bench { depth } => self.bench(depth)?,
            UciCommand::GenFens(request) => self.gen_fens(request)?,
            UciCommand::Help => self.printer.lines(command::help()),
            UciCommand::Tune => self.tune()?,
            UciCommand::Quit => return Ok(ControlFlow::Break(())),
            UciCommand::Eval => {
                let eval_trace =
                    search::eval_trace(self.position.game.position(), self.engine.network());
                self.printer.line(eval_trace);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn identify(&self) {
        let head = [format!("id name {NAME}"), format!("id author {AUTHOR}")];
        let tail = ["uciok".to_owned()];
        let options = self.engine.table().lines();
        self.printer
            .lines(head.into_iter().chain(options).chain(tail));
    }

    /// The variant that positions are read as, and the notation of moves and FENs.
    fn variant(&self) -> Variant {
        Variant::from_chess960(self.engine.config().chess960)
    }

    fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), PositionError> {
        let position = UciPosition::new(base, moves, Some(self.variant()));
        self.position_refused = position.is_err();
        self.position = position?;
        let dropped = self.position.dropped.iter().map(|dropped| {
            let hint = if dropped.is_of_chess960() {
                "; for Chess960, set UCI_Chess960"
            } else {
                ""
            };
            format!("info string {dropped}{hint}")
        });
        self.printer.lines(dropped);
        Ok(())
    }

    /// Sets an option, if necessary after the end of a running search.
    fn set_option(&mut self, assignment: Assignment) -> Result<()> {
        if assignment.effect.needs_idle_search() {
            self.execute_when_idle(Deferred::SetOption(assignment))
        } else {
            self.apply(&assignment)
        }
    }

    /// Changes nothing if it fails.
    fn apply(&mut self, assignment: &Assignment) -> Result<()> {
        let name = assignment.name;
        let set = self.engine.apply(assignment);
        let skipped = set.map_err(|error| anyhow!("{error}; {name} is unchanged"))?;
        // Missing directories and broken files; the rest is used.
        for error in skipped {
            self.printer.error(error);
        }
        let log = self.engine.config().debug_log_file.as_deref();
        if assignment.effect == Effect::OpenDebugLog {
            self.printer.log_to(log)?;
        }
        let has_tablebases = !self.engine.config().syzygy_path.is_empty();
        if assignment.effect == Effect::LoadTablebases && has_tablebases {
            let count = self.engine.tablebases().count();
            self.printer.line(format_args!("info string {count}"));
        }
        Ok(())
    }

    fn bench(&mut self, depth: Option<u32>) -> Result<()> {
        let network = Arc::clone(self.engine.network());
        self.start_job("bench", move |printer, stop| {
            let depth = depth.unwrap_or(bench::DEPTH);
            let searched = |position| printer.line_or_exit(format_args!("info string {position}"));
            bench::run(depth, &network, stop, searched).map(|total| printer.line(total))
        })
    }

    fn gen_fens(&mut self, request: GenFens) -> Result<()> {
        let network = Arc::clone(self.engine.network());
        self.start_job("genfens", move |printer, stop| {
            let made = |opening| printer.line_or_exit(opening);
            genfens::generate(&request, network, stop, made)
        })
    }

    #[cfg(feature = "tune")]
    #[allow(clippy::unnecessary_wraps)]
    fn tune(&self) -> Result<()> {
        self.printer.lines(service::tune_lines());
        Ok(())
    }

    #[cfg(not(feature = "tune"))]
    fn tune(&self) -> Result<()> {
        Err(anyhow!(
            "this build has no tunable parameters; build with the feature 'tune'"
        ))
    }
}
