//! What a session has running besides itself, one thing at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use search::{STACK_BYTES, Stop};

use super::SessionError;

#[derive(Debug, Default)]
pub(super) enum Task {
    #[default]
    Idle,
    Search {
        stop: Stop,
        thread: JoinHandle<()>,
        /// Set before the best move is told, so that whoever has read it finds us at rest.
        answered: Arc<AtomicBool>,
        infinite: bool,
        pondering: bool,
        /// Something besides `stop` ends it.
        limited: bool,
    },
    /// There is no move, but it is too early to say so.
    NoMove { infinite: bool },
    /// A count or a bench.
    Job { stop: Stop, thread: JoinHandle<()> },
}

impl Task {
    /// Starts a piece of work that looks at a stop flag now and then.
    pub(super) fn job(
        what: &'static str,
        work: impl FnOnce(&Stop) + Send + 'static,
    ) -> Result<Task, SessionError> {
        let stop = Stop::new();
        let thread = spawn(what, {
            let stop = stop.clone();
            move || work(&stop)
        })?;
        Ok(Task::Job { stop, thread })
    }

    /// A search that has not answered, as far as is known here.
    pub(super) fn is_searching(&self) -> bool {
        match self {
            Task::Search { answered, .. } => !answered.load(Ordering::Acquire),
            Task::Idle | Task::NoMove { .. } | Task::Job { .. } => false,
        }
    }

    /// Only a further line would end it.
    pub(super) fn is_endless(&self) -> bool {
        match self {
            Task::Search {
                infinite,
                pondering,
                ..
            } => *infinite || *pondering,
            Task::NoMove { .. } => true,
            Task::Idle | Task::Job { .. } => false,
        }
    }
}

/// Starts a thread that may search.
pub(super) fn spawn(
    what: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, SessionError> {
    thread::Builder::new()
        .name(what.to_owned())
        .stack_size(STACK_BYTES)
        .spawn(work)
        .map_err(|source| SessionError::Thread { what, source })
}
