//! The background task of a session, at most one at a time: how it is started,
//! stopped and waited for, and what waits for its end.

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use search::SearchControl;
use service::{Assignment, background};

use super::Session;
use crate::output::printer::Printer;
use crate::uci::command::UciCommand;

#[derive(Debug, Default)]
pub(super) enum Task {
    #[default]
    Idle,
    Search {
        task: background::Task,
        /// Set just before `bestmove` is printed, so that the session is idle for a program that
        /// has read it.
        answered: Arc<AtomicBool>,
        infinite: bool,
        pondering: bool,
        /// Something besides `stop` ends it.
        limited: bool,
    },
    /// Nothing is searched, but `bestmove` has to wait for `stop` or `ponderhit`.
    NoMove {
        infinite: bool,
        answer: &'static str,
    },
    /// Perft, the benchmark or the making of openings.
    Job(background::Task),
}

/// Commands deferred until no search is running.
#[derive(Debug)]
pub(super) enum Deferred {
    SetOption(Assignment),
    NewGame,
}

impl Task {
    /// True if a search is running that has not printed its `bestmove`.
    fn is_searching(&self) -> bool {
        match self {
            Self::Search { answered, .. } => !answered.load(Ordering::Acquire),
            Self::Idle | Self::NoMove { .. } | Self::Job(_) => false,
        }
    }

    /// True if only another command would end it.
    pub(super) fn is_endless(&self) -> bool {
        match self {
            Self::Search {
                infinite,
                pondering,
                ..
            } => *infinite || *pondering,
            Self::NoMove { .. } => true,
            Self::Idle | Self::Job(_) => false,
        }
    }
}

/// The state of the running task that a command needs before it is executed.
pub(super) enum Needed {
    Nothing,
    /// The task has ended. Perft and the benchmark finish before most other commands, so that a
    /// script gets its output in the order of its input.
    End,
    /// The task has been stopped.
    Stop,
}

impl<W: Write + Send + 'static> Session<W> {
    /// Starts work other than a search.
    pub(super) fn start_job<E: Display>(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&Printer<W>, &SearchControl) -> Result<(), E> + Send + 'static,
    ) -> Result<()> {
        let printer = self.printer.clone();
        let failed = Arc::clone(&self.failed);
        let work = move |printer: Printer<W>, control: &SearchControl| {
            if let Err(error) = work(&printer, control) {
                failed.store(true, Ordering::Relaxed);
                printer.error(error);
            }
        };
        let task = background::Task::start(name, printer, work).map_err(|(error, _)| error)?;
        self.task = Task::Job(task);
        Ok(())
    }

    /// Executes now, or after `bestmove` if a search is running.
    pub(super) fn execute_when_idle(&mut self, deferred: Deferred) -> Result<()> {
        if self.task.is_searching() {
            self.deferred.push_back(deferred);
            return Ok(());
        }
        self.execute_deferred(deferred)
    }

    /// Executes what has waited for the end of a search, if the search has ended.
    pub(super) fn catch_up(&mut self) {
        while !self.task.is_searching()
            && let Some(deferred) = self.deferred.pop_front()
        {
            if let Err(error) = self.execute_deferred(deferred) {
                self.failed.store(true, Ordering::Relaxed);
                self.printer.error(error);
            }
        }
    }

    fn execute_deferred(&mut self, deferred: Deferred) -> Result<()> {
        match deferred {
            Deferred::SetOption(assignment) => self.apply(&assignment),
            Deferred::NewGame => {
                self.engine.new_game();
                Ok(())
            }
        }
    }

    /// Tells the task to stop; does not wait for it.
    pub(super) fn stop(&mut self) {
        match &mut self.task {
            Task::Idle => {}
            Task::Search {
                task,
                infinite,
                pondering,
                ..
            } => {
                (*infinite, *pondering) = (false, false);
                task.stop();
            }
            Task::Job(task) => task.stop(),
            Task::NoMove { answer, .. } => {
                let answer = *answer;
                self.print_no_move(answer);
            }
        }
    }

    pub(super) fn ponder_hit(&mut self) {
        match &mut self.task {
            Task::Search {
                task,
                pondering,
                infinite,
                limited,
                ..
            } if *pondering => {
                *pondering = false;
                task.ponder_hit();
                if !*limited && !*infinite {
                    task.stop();
                }
            }
            Task::NoMove {
                infinite: false,
                answer,
            } => {
                let answer = *answer;
                self.print_no_move(answer);
            }
            _ => {}
        }
    }

    fn print_no_move(&mut self, answer: &'static str) {
        self.task = Task::Idle;
        self.printer.line(answer);
    }

    /// Waits until the task ends by itself.
    pub(super) fn wait(&mut self) {
        match std::mem::take(&mut self.task) {
            Task::Job(task) => {
                if let Err(panicked) = task.wait() {
                    self.failed.store(true, Ordering::Relaxed);
                    self.printer.error(panicked);
                }
            }
            // A search that panics prints an error and a move.
            Task::Search { task, .. } => drop(task.wait()),
            Task::Idle | Task::NoMove { .. } => {}
        }
    }

    /// Ends the task, and executes what has waited for it.
    pub(super) fn stop_and_wait(&mut self) {
        self.stop();
        self.wait();
        self.catch_up();
    }

    pub(super) fn needed_by(&self, command: &UciCommand) -> Needed {
        match command {
            UciCommand::IsReady | UciCommand::Stop | UciCommand::Uci => Needed::Nothing,
            _ if matches!(self.task, Task::Job(_)) => Needed::End,
            UciCommand::Go(_)
            | UciCommand::Bench { .. }
            | UciCommand::GenFens(_)
            | UciCommand::Quit => Needed::Stop,
            _ => Needed::Nothing,
        }
    }

    /// At the end of input: lets the task finish, or stops it if it would not.
    pub(super) fn finish(&mut self) {
        if self.task.is_endless() {
            self.stop();
        }
        self.wait();
        self.catch_up();
    }
}
