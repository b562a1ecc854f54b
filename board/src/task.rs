//! The work a session does in the background: at most one search at a time.

use std::sync::mpsc::Sender;

use search::SearchControl;
use service::Engine;
use service::background::{Task, TaskError};

use crate::messages::Mode;
use crate::report::{Input, Report};

#[derive(Debug)]
pub(crate) struct Tasks {
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
        let _ = self.inputs.send(Input::Report(self.id, report.into()));
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        let _ = self.inputs.send(Input::TaskEnded(self.id));
    }
}

impl Tasks {
    pub(crate) fn new(inputs: Sender<Input>) -> Self {
        Self {
            inputs,
            running: None,
            started: 0,
        }
    }

    /// Starts a task of this owner; one that runs is stopped first, and its reports are dropped.
    pub(crate) fn start(
        &mut self,
        owner: Owner,
        work: impl FnOnce(&SearchControl, &Reporter) + Send + 'static,
    ) -> Result<(), TaskError> {
        self.stop();
        self.started += 1;
        let id = self.started;
        let reporter = Reporter {
            id,
            inputs: self.inputs.clone(),
        };
        let task = Task::start("task", reporter, move |reporter, stop| {
            work(stop, &reporter);
        });
        let task = task.map_err(|(error, _)| error)?;
        self.running = Some(Running { id, owner, task });
        Ok(())
    }

    /// Whose task is running.
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.running.as_ref().map(|running| running.owner)
    }

    pub(crate) fn is_running(&self, id: u64) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.id == id)
    }

    /// Tells the task to finish now and report its result.
    pub(crate) fn finish(&self) {
        if let Some(running) = &self.running {
            running.task.stop();
        }
    }

    /// Stops the task and waits for it; what it still reports is dropped. Returns whether it ended
    /// as it should.
    pub(crate) fn stop(&mut self) -> bool {
        let ended = self.running.take().map(|running| running.task.cancel());
        !matches!(ended, Some(Err(_)))
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The engine, and the search of the mode or the annotator that has one.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) engine: Engine,
    pub(crate) tasks: Tasks,
}

impl Search {
    /// Starts the search of an owner. One that runs is stopped, and its reports are dropped.
    pub(crate) fn start(
        &mut self,
        owner: impl Into<Owner>,
        work: impl FnOnce(&SearchControl, &Reporter) + Send + 'static,
    ) -> Result<(), TaskError> {
        self.tasks.start(owner.into(), work)
    }

    /// True if the search of this owner is running.
    pub(crate) fn is_running(&self, owner: impl Into<Owner>) -> bool {
        self.tasks.owner() == Some(owner.into())
    }

    /// Stops the search of this owner, if it is running; its reports are dropped.
    pub(crate) fn stop(&mut self, owner: impl Into<Owner>) {
        if self.is_running(owner) {
            self.tasks.stop();
        }
    }

    /// Tells the search of this owner to finish now and report its result.
    pub(crate) fn finish(&self, owner: impl Into<Owner>) {
        if self.is_running(owner) {
            self.tasks.finish();
        }
    }
}
