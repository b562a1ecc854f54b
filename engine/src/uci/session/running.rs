//! What runs besides the session: how it is asked to end, waited for, and what waits for it.

use std::io::Write;

use super::task::Task;
use super::{Deferred, Session, SessionError};
use crate::uci::command::Command;

impl<W: Write + Send + 'static> Session<W> {
    /// Does at once what must not happen under a search, or keeps it until the search has
    /// answered.
    pub(super) fn when_at_rest(&mut self, deferred: Deferred) -> Result<(), SessionError> {
        if self.task.is_searching() {
            self.deferred.push_back(deferred);
            return Ok(());
        }
        self.carry_out(deferred)
    }

    /// Does what waited for the end of a search, if that has come.
    pub(super) fn catch_up(&mut self) {
        while !self.task.is_searching()
            && let Some(deferred) = self.deferred.pop_front()
        {
            if let Err(error) = self.carry_out(deferred) {
                self.printer.error(error);
            }
        }
    }

    fn carry_out(&mut self, deferred: Deferred) -> Result<(), SessionError> {
        match deferred {
            Deferred::SetOption(assignment) => self.apply(&assignment),
            Deferred::NewGame => {
                self.book.next_game();
                self.strength_seed.next_game();
                self.searcher().new_game();
                Ok(())
            }
        }
    }

    /// Asks what runs to end; does not wait for it.
    pub(super) fn stop(&mut self) {
        match &self.task {
            Task::Idle => {}
            Task::Search { stop, .. } | Task::Job { stop, .. } => stop.stop(),
            Task::NoMove { .. } => self.say_no_move(),
        }
    }

    pub(super) fn ponder_hit(&mut self) {
        match &mut self.task {
            Task::Search {
                stop,
                pondering,
                infinite,
                limited,
                ..
            } if *pondering => {
                *pondering = false;
                let nothing_to_wait_for = !*limited && !*infinite;
                stop.ponder_hit();
                if nothing_to_wait_for {
                    stop.stop();
                }
            }
            Task::NoMove { infinite: false } => self.say_no_move(),
            _ => {}
        }
    }

    fn say_no_move(&mut self) {
        self.task = Task::Idle;
        self.printer.line("bestmove (none)");
    }

    /// Waits for what runs to come to its own end.
    pub(super) fn wait(&mut self) {
        match std::mem::replace(&mut self.task, Task::Idle) {
            Task::Job { thread, .. } => {
                if thread.join().is_err() {
                    self.printer
                        .error("the work was ended by an internal error");
                }
            }
            // A search that panicked has said so and answered.
            Task::Search { thread, .. } => drop(thread.join()),
            Task::Idle | Task::NoMove { .. } => {}
        }
    }

    /// Ends what runs.
    pub(super) fn halt(&mut self) {
        self.stop();
        self.wait();
        self.catch_up();
    }

    /// A count or a bench comes to its end before anything but these is done, so that a
    /// script reads its answers in the order of its questions. Whoever tires of it says `stop`.
    pub(super) fn keep_order(&mut self, command: &Command) {
        let at_once = matches!(command, Command::IsReady | Command::Stop | Command::Uci);
        if !at_once && matches!(self.task, Task::Job { .. }) {
            self.wait();
        }
    }

    /// At the end of the input: what has an end comes to it.
    pub(super) fn finish(&mut self) {
        if self.task.is_endless() {
            self.stop();
        }
        self.wait();
        self.catch_up();
    }
}
