//! The work a session does in the background: at most one search at a time.

use std::sync::mpsc::Sender;

use search::SearchControl;
use service::Engine;
use service::background::{Task, TaskError};

use crate::annotator::{Annotator, Precedence};
use crate::messages::Mode;
use crate::report::{Input, Report};

/// The engine, and the search of the mode or the annotator that has one.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) engine: Engine,
    annotator: Annotator,
    inputs: Sender<Input>,
    running: Option<Running>,
    started: u64,
}

/// The part of the session whose task runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Mode(Mode),
    Annotator,
}

impl From<Mode> for Owner {
    fn from(mode: Mode) -> Self {
        Self::Mode(mode)
    }
}

#[derive(Debug)]
struct Running {
    id: u64,
    owner: Owner,
    task: Task,
    /// That of a mode over the annotation.
    _precedence: Option<Precedence>,
}

/// Sends the reports of a task to its session.
#[derive(Debug)]
pub(crate) struct Reporter {
    id: u64,
    inputs: Sender<Input>,
}

impl Reporter {
    pub(crate) fn report(&self, report: impl Into<Report>) {
        // A session that has ended needs none.
        let _ = self.inputs.send(Input::Task(self.id, Some(report.into())));
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        let _ = self.inputs.send(Input::Task(self.id, None));
    }
}

impl Search {
    pub(crate) fn new(engine: Engine, annotator: Annotator, inputs: Sender<Input>) -> Self {
        Self {
            engine,
            annotator,
            inputs,
            running: None,
            started: 0,
        }
    }

    /// Starts the search of an owner. One that runs is stopped, and its reports are dropped.
    pub(crate) fn start(
        &mut self,
        owner: impl Into<Owner>,
        work: impl FnOnce(&SearchControl, &Reporter) + Send + 'static,
    ) -> Result<(), TaskError> {
        self.end();
        self.started += 1;
        let (id, owner) = (self.started, owner.into());
        let reporter = Reporter {
            id,
            inputs: self.inputs.clone(),
        };
        let threads = self.engine.config().threads;
        let precedence = (owner != Owner::Annotator).then(|| self.annotator.give_way(threads));
        let task = Task::start("task", reporter, move |reporter, stop| {
            work(stop, &reporter);
        });
        let task = task.map_err(|(error, _)| error)?;
        self.running = Some(Running {
            id,
            owner,
            task,
            _precedence: precedence,
        });
        Ok(())
    }

    /// The owner of the search that runs.
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.running.as_ref().map(|running| running.owner)
    }

    /// True if the search of this owner is running.
    pub(crate) fn is_running(&self, owner: impl Into<Owner>) -> bool {
        self.owner() == Some(owner.into())
    }

    /// True if the task with this number is running.
    pub(crate) fn is_current(&self, id: u64) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.id == id)
    }

    /// Stops the search of this owner, if it is running; its reports are dropped.
    pub(crate) fn stop(&mut self, owner: impl Into<Owner>) {
        if self.is_running(owner) {
            self.end();
        }
    }

    /// Stops the task and waits for it; what it still reports is dropped. Returns whether it ended
    /// as it should.
    pub(crate) fn end(&mut self) -> bool {
        let ended = self.running.take().map(|running| running.task.cancel());
        !matches!(ended, Some(Err(_)))
    }

    /// Tells the search of this owner to finish now and report its result.
    pub(crate) fn finish(&self, owner: impl Into<Owner>) {
        let owner = owner.into();
        if let Some(running) = &self.running
            && running.owner == owner
        {
            running.task.stop();
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.end();
    }
}
