//! What a session has running besides itself, one thing at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use super::SessionError;

#[derive(Debug, Default)]
pub(super) enum Task {
    #[default]
    Idle,
    Search {
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
    Job {
        stop: Arc<AtomicBool>,
        thread: JoinHandle<()>,
    },
}

impl Task {
    /// Starts a piece of work that looks at a stop flag now and then.
    pub(super) fn job(
        what: &'static str,
        work: impl FnOnce(&AtomicBool) + Send + 'static,
    ) -> Result<Task, SessionError> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = thread::Builder::new()
            .name(what.to_owned())
            .spawn(move || work(&flag))
            .map_err(|source| SessionError::Thread { what, source })?;
        Ok(Task::Job { stop, thread })
    }

    /// A search that has not answered, as far as is known here.
    pub(super) fn holds_the_search(&self) -> bool {
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
