//! A dialogue line by line, with a user at a terminal or with a script.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, StdinLock, Stdout, Write};

use crate::excerpt;
use crate::input::{InputError, LineReader};

/// Where commands come from and answers go.
///
/// When the reader of the output has gone, further output is dropped and the input ends.
#[derive(Debug)]
pub struct Terminal<R, W> {
    input: LineReader<R>,
    output: W,
    /// Whether to prompt for each line.
    interactive: bool,
    closed: bool,
}

impl Terminal<StdinLock<'static>, Stdout> {
    /// Standard input and output; prompts when both are a terminal.
    #[must_use]
    pub fn stdio() -> Self {
        let interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        Self::new(io::stdin().lock(), io::stdout(), interactive)
    }
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    pub fn new(input: R, output: W, interactive: bool) -> Self {
        Self {
            input: LineReader::new(input),
            output,
            interactive,
            closed: false,
        }
    }

    /// Prints one line.
    pub fn line(&mut self, line: impl Display) {
        self.write(&format!("{line}\n"));
    }

    /// Prints several lines.
    pub fn lines<L: Display>(&mut self, lines: impl IntoIterator<Item = L>) {
        let text: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
        self.write(&text);
    }

    /// Prints an error, which may quote any input: control characters are escaped.
    pub fn error(&mut self, error: &impl Display) {
        let error = error.to_string();
        self.lines(error.lines().map(|line| {
            if line.contains(char::is_control) {
                excerpt(line)
            } else {
                line.to_owned()
            }
        }));
    }

    /// Returns the next line, or `None` at the end of the input or when the output is closed.
    /// Lines that cannot be read are reported and skipped.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        while !self.closed {
            if self.interactive {
                self.write("> ");
            }
            match self.input.next_line() {
                Ok(line) => return Ok(line),
                Err(InputError::Read(error)) => return Err(error),
                Err(error) => self.line(error),
            }
        }
        Ok(None)
    }

    fn write(&mut self, text: &str) {
        if !self.closed {
            let written = self.output.write_all(text.as_bytes());
            self.closed = written.and_then(|()| self.output.flush()).is_err();
        }
    }
}
