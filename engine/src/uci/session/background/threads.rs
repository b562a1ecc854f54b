//! The work has a thread of its own.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::thread::{Builder, JoinHandle};

use common::input::{InputError, LineReader};
use search::{STACK_BYTES, SearchControl};

use crate::uci::session::{Session, SessionError};

pub(in crate::uci::session) type Work = JoinHandle<()>;

/// Starts a thread with a stack large enough for a search.
pub(in crate::uci::session) fn spawn(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<Work, SessionError> {
    Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_BYTES)
        .spawn(work)
        .map_err(|source| SessionError::Thread { name, source })
}

/// Stops the work.
pub(in crate::uci::session) fn control() -> SearchControl {
    SearchControl::new()
}

/// Executes all lines.
pub(in crate::uci::session) fn run<W: Write + Send + 'static>(
    mut session: Session<W>,
    mut input: LineReader<impl BufRead + 'static>,
) -> Result<(), InputError> {
    let mut flow = Ok(ControlFlow::Continue(()));
    while let Ok(ControlFlow::Continue(())) = flow {
        flow = session.handle_input(input.next_line());
    }
    session.stop_and_wait();
    flow.map(drop)
}
