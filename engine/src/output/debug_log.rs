//! The debug log: a file that records input and output with times.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::NAME;

/// Why the log cannot be written.
#[derive(Debug, Error)]
pub enum DebugLogError {
    #[error("cannot open the debug log '{}': {source}", path.display())]
    Open { path: PathBuf, source: io::Error },

    #[error("cannot write the debug log '{}': {source}; closing it", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

#[derive(Debug)]
pub(crate) struct DebugLog {
    path: PathBuf,
    file: File,
    opened: Instant,
}

impl DebugLog {
    /// Opens a log; appends to an existing file.
    pub(crate) fn open(path: &Path) -> Result<DebugLog, DebugLogError> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|source| DebugLogError::Open {
                path: path.to_owned(),
                source,
            })?;
        let mut log = DebugLog {
            path: path.to_owned(),
            file,
            opened: Instant::now(),
        };
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let header = format!(
            "# {NAME}; opened {:.3} s after 1970-01-01 UTC, times below are seconds since then\n",
            since_epoch.as_secs_f64()
        );
        log.write(&header)?;
        Ok(log)
    }

    /// Appends lines with the time. Unbuffered, since logs are read after crashes.
    pub(crate) fn record(&mut self, direction: Direction, text: &str) -> Result<(), DebugLogError> {
        let seconds = self.opened.elapsed().as_secs_f64();
        let arrow = match direction {
            Direction::In => ">>",
            Direction::Out => "<<",
        };
        let lines: String = text
            .lines()
            .map(|line| format!("{seconds:10.3} {arrow} {line}\n"))
            .collect();
        self.write(&lines)
    }

    fn write(&mut self, text: &str) -> Result<(), DebugLogError> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> DebugLogError {
        DebugLogError::Write {
            path: self.path.clone(),
            source,
        }
    }
}
