//! The results of a command, on standard output or in a file.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use common::files::FileError;
use serde::Serialize;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum WriteError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

/// Returns a value as a line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// Writes results one by one. Each is flushed, so that an interruption loses none.
pub(crate) struct ResultWriter {
    writer: Box<dyn Write>,
    path: Option<PathBuf>,
    closed: bool,
}

impl ResultWriter {
    /// Writes to a new file, or to standard output without a path.
    pub(crate) fn create(path: Option<&Path>) -> Result<ResultWriter, WriteError> {
        let writer: Box<dyn Write> = match path {
            None => Box::new(stdout()),
            Some(path) => Box::new(File::create_new(path).map_err(FileError::create(path))?),
        };
        Ok(ResultWriter {
            writer,
            path: path.map(Path::to_owned),
            closed: false,
        })
    }

    /// Writes to an existing file behind its first `bytes`; the rest is removed.
    pub(crate) fn append(path: &Path, bytes: u64) -> Result<ResultWriter, WriteError> {
        let file = OpenOptions::new().append(true).open(path);
        let file = file.and_then(|file| file.set_len(bytes).map(|()| file));
        Ok(ResultWriter {
            writer: Box::new(file.map_err(FileError::write(path))?),
            path: Some(path.to_owned()),
            closed: false,
        })
    }

    /// Writes one result; breaks if the reader of standard output has closed it.
    pub(crate) fn write(&mut self, text: &str) -> Result<ControlFlow<()>, WriteError> {
        let written = self.writer.write_all(text.as_bytes());
        match (written.and_then(|()| self.writer.flush()), &self.path) {
            (Ok(()), _) => Ok(ControlFlow::Continue(())),
            (Err(error), None) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(ControlFlow::Break(()))
            }
            (Err(error), None) => Err(WriteError::Stdout(error)),
            (Err(error), Some(path)) => Err(FileError::write(path)(error).into()),
        }
    }

    /// Whether the reader of standard output has closed it.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}
