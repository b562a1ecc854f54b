//! The results of a command on standard output.

use std::io::{self, ErrorKind, Stdout, Write};
use std::ops::ControlFlow;

use serde::Serialize;
use thiserror::Error;

#[derive(Debug, Error)]
#[error("cannot write to standard output: {0}")]
pub(crate) struct WriteError(io::Error);

/// Returns a value as a line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// Writes results one by one. Each is flushed, so that an interruption loses none.
#[derive(Debug)]
pub(crate) struct ResultWriter {
    stdout: Stdout,
    closed: bool,
}

impl ResultWriter {
    pub(crate) fn stdout() -> ResultWriter {
        ResultWriter {
            stdout: io::stdout(),
            closed: false,
        }
    }

    /// Writes one result; breaks if the reader of standard output has closed it.
    pub(crate) fn write(&mut self, text: &str) -> Result<ControlFlow<()>, WriteError> {
        let written = self.stdout.write_all(text.as_bytes());
        match written.and_then(|()| self.stdout.flush()) {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(ControlFlow::Break(()))
            }
            Err(error) => Err(WriteError(error)),
        }
    }

    /// Whether the reader of standard output has closed it.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}
