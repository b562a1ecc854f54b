//! The writer of standard output in a UCI session and in commands. Lines of one call stay
//! together and are flushed when the call returns.
//!
//! Once the reader has closed the output, or it cannot be written, writing does nothing;
//! [`Printer::is_closed`] tells the session to exit. A closed output is not a failure; a full disk
//! is.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::iter::once;
use std::ops::ControlFlow;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use common::escape_controls;

use crate::output::debug_log::{DebugLog, Direction};
use crate::output::warn;

/// A handle to the output; clones share it.
#[derive(Debug)]
pub struct Printer<W> {
    shared: Arc<Shared<W>>,
}

#[derive(Debug)]
struct Shared<W> {
    channel: Mutex<Channel<W>>,
    closed: AtomicBool,
    /// Closed because of an error.
    failed: AtomicBool,
}

/// Output and log under one lock, so that the log has the order of the output.
#[derive(Debug)]
struct Channel<W> {
    output: W,
    log: Option<DebugLog>,
}

impl<W> Clone for Printer<W> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<W: Write> Printer<W> {
    pub fn new(output: W) -> Self {
        Self {
            shared: Arc::new(Shared {
                channel: Mutex::new(Channel { output, log: None }),
                closed: AtomicBool::new(false),
                failed: AtomicBool::new(false),
            }),
        }
    }

    /// Writes one line.
    pub fn line(&self, line: impl Display) {
        self.lines(once(line));
    }

    /// Writes one line of work in the background; exits if the output is closed, since the session
    /// waits for input that may never come.
    pub fn line_or_exit(&self, line: impl Display) {
        self.line(line);
        if self.is_closed() {
            process::exit(i32::from(self.has_failed()));
        }
    }

    /// Writes several lines without others between them.
    pub fn lines<L: Display>(&self, lines: impl IntoIterator<Item = L>) {
        let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
        // Who writes much asks whether the output is closed.
        let _ = self.text(&text);
    }

    /// Writes text as it is; breaks if the output is closed.
    pub fn text(&self, text: &str) -> ControlFlow<()> {
        self.with_channel(|channel| channel.write(text));
        if self.is_closed() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Writes an error as an `info string`, since UCI has no error messages.
    pub fn error(&self, error: impl Display) {
        self.line(error_line(error));
    }

    /// Records a line of input in the debug log, if there is one.
    pub fn log_input(&self, line: &str) {
        self.with_channel(|channel| channel.record(Direction::In, line));
    }

    /// Opens a debug log in place of the previous one, or closes that without a path. If a log
    /// cannot be opened, the previous one is kept.
    pub fn log_to(&self, path: Option<&Path>) -> Result<()> {
        let log = path.map(DebugLog::open).transpose()?;
        self.with_channel(|channel| {
            channel.log = log;
            Ok(())
        });
        Ok(())
    }

    /// True if the reader has closed the output, or it cannot be written.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Relaxed)
    }

    /// True if output is missing because of an error, which was reported on standard error.
    pub fn has_failed(&self) -> bool {
        self.shared.failed.load(Ordering::Relaxed)
    }

    fn with_channel(&self, action: impl FnOnce(&mut Channel<W>) -> io::Result<()>) {
        // A thread that panicked while writing leaves at worst an incomplete line; the program
        // must still respond.
        let mut channel = self
            .shared
            .channel
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if self.is_closed() {
            return;
        }
        if let Err(error) = action(&mut channel) {
            if error.kind() != ErrorKind::BrokenPipe {
                warn(format_args!("cannot write to standard output: {error}"));
                self.shared.failed.store(true, Ordering::Relaxed);
            }
            self.shared.closed.store(true, Ordering::Relaxed);
        }
    }
}

/// Fails only if the output does: a log that cannot be written is closed with an error message.
impl<W: Write> Channel<W> {
    fn write(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        self.record(Direction::Out, text)
    }

    fn record(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        if let Err(error) = log.record(direction, text) {
            self.log = None;
            writeln!(self.output, "{}", error_line(error))?;
            self.output.flush()?;
        }
        Ok(())
    }
}

/// The error as a single line, even if it quotes untrusted text.
fn error_line(error: impl Display) -> String {
    let error = escape_controls(&error.to_string());
    format!("info string error: {error}")
}

#[cfg(test)]
mod tests;
