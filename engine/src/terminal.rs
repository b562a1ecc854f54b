//! A dialogue line by line, with a user at a terminal or with a script.

pub(crate) mod chess;
mod command_line;
pub(crate) mod console;
mod editor;
pub(crate) mod play;
mod work;

use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Result, anyhow};
use indicatif::ProgressDrawTarget;

use crate::output::is_ansi_terminal;
use common::excerpt;
use common::input::{InputError, LineReader};
use editor::LineEditor;
pub(crate) use work::Work;

const STATUS_INTERVAL: Duration = Duration::from_millis(100);

/// The source of commands and destination of answers: standard input and output.
///
/// At a terminal lines can be edited, recalled and completed. When the reader of the output has
/// gone, further output is dropped and the input ends.
pub(crate) struct Terminal {
    input: Input,
    output: Box<dyn Write>,
    /// The input or the output has ended.
    closed: bool,
    /// The reason the output has failed, unless its reader has closed it.
    failure: Option<io::Error>,
}

fn read_error(error: &io::Error) -> anyhow::Error {
    anyhow!("cannot read the input: {error}")
}

enum Input {
    /// A pipe or a file, or a terminal whose output goes elsewhere.
    Lines(LineReader<Box<dyn BufRead>>),
    Editor(Box<LineEditor>),
}

impl Terminal {
    /// Standard input and output, with an editor when both are a terminal.
    pub(crate) fn stdio() -> Self {
        let interactive = io::stdin().is_terminal() && is_ansi_terminal();
        let Some(editor) = interactive.then(LineEditor::new).flatten() else {
            return Self::piped(io::stdin().lock(), io::stdout());
        };
        work::handle_interrupts();
        Self {
            input: Input::Editor(Box::new(editor)),
            output: Box::new(io::stdout()),
            closed: false,
            failure: None,
        }
    }

    /// Reads lines from a pipe or a file.
    pub(crate) fn piped(input: impl BufRead + 'static, output: impl Write + 'static) -> Self {
        Self {
            input: Input::Lines(LineReader::new(Box::new(input))),
            output: Box::new(output),
            closed: false,
            failure: None,
        }
    }

    /// True if a user types at a terminal.
    pub(crate) fn is_interactive(&self) -> bool {
        matches!(self.input, Input::Editor(_))
    }

    /// The number of columns of a terminal.
    pub(crate) fn width(&mut self) -> Option<usize> {
        match &mut self.input {
            Input::Editor(editor) => Some(editor.width()),
            Input::Lines(_) => None,
        }
    }

    /// Prints one line, which a terminal breaks between words.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.lines([line]);
    }

    /// Prints several lines.
    pub(crate) fn lines<L: Display>(&mut self, lines: impl IntoIterator<Item = L>) {
        let width = self.width();
        let lines = lines.into_iter().map(|line| match width {
            Some(width) => wrapped(&line.to_string(), width) + "\n",
            None => format!("{line}\n"),
        });
        let text: String = lines.collect();
        self.write(&text);
    }

    /// Prints an error, for an illegal move every reason. It may quote any input: control
    /// characters are escaped.
    pub(crate) fn error(&mut self, error: &impl Display) {
        let error = format!("{error:#}");
        self.lines(error.lines().map(|line| {
            if line.contains(char::is_control) {
                excerpt(line)
            } else {
                line.to_owned()
            }
        }));
    }

    /// Returns the next line, or `None` at the end of the input, on an interrupt, or when the
    /// output is closed. Lines that cannot be read are reported and skipped.
    ///
    /// `completions` are what the tab key completes.
    pub(crate) fn next_line(
        &mut self,
        completions: impl FnOnce() -> Vec<String>,
    ) -> Result<Option<String>> {
        while !self.closed {
            match &mut self.input {
                Input::Editor(editor) => {
                    return editor
                        .read(completions())
                        .map_err(|error| read_error(&error));
                }
                Input::Lines(reader) => match reader.next_line() {
                    Ok(line) => return Ok(line),
                    Err(InputError::Read(error)) => return Err(read_error(&error)),
                    Err(error) => self.line(error),
                },
            }
        }
        self.check().map(|()| None)
    }

    /// Returns why the output has failed, unless its reader has closed it.
    pub(crate) fn check(&mut self) -> Result<()> {
        let failure = self.failure.take();
        failure.map_or(Ok(()), |error| {
            Err(anyhow!("cannot write to standard output: {error}"))
        })
    }

    /// Does some work that takes time. A terminal shows its status on one line meanwhile, and
    /// Ctrl-C stops it.
    pub(crate) fn work<T>(&self, work: &Work, run: impl FnOnce(&Work) -> T) -> T {
        if !self.is_interactive() {
            work.bar.set_draw_target(ProgressDrawTarget::hidden());
            return run(work);
        }
        // Before the status is seen, or Ctrl-C would end the program.
        work::set_running(Some(work.stop.clone()));
        work.bar.enable_steady_tick(STATUS_INTERVAL);
        let result = run(work);
        work::set_running(None);
        work.bar.finish_and_clear();
        if work.stop.is_stopped() {
            // The status fills its line, so that the echo of Ctrl-C began another one.
            let _ = write!(io::stderr(), "\u{1b}[A\r\u{1b}[K");
        }
        result
    }

    fn write(&mut self, text: &str) {
        if !self.closed || self.is_interactive() {
            let written = self.output.write_all(text.as_bytes());
            if let Err(error) = written.and_then(|()| self.output.flush()) {
                self.closed = true;
                if error.kind() != ErrorKind::BrokenPipe {
                    self.failure = Some(error);
                }
            }
        }
    }
}

/// Breaks the lines of a text between words. The rest of a line of a table, such as the list of
/// commands, is indented like its last column.
fn wrapped(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| wrapped_line(line, width));
    lines.collect::<Vec<String>>().join("\n")
}

fn wrapped_line(line: &str, width: usize) -> String {
    if line.contains('\u{1b}') || line.chars().count() <= width {
        return line.to_owned();
    }
    let column = line.rfind("  ").map_or(0, |at| at + 2);
    let column = line.get(..column).map_or(0, |start| start.chars().count());
    let indent = " ".repeat(if column < width / 2 { column } else { 0 });
    let (mut broken, mut length) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let columns = word.trim_end().chars().count();
        if length > indent.len() && length + columns > width {
            broken.truncate(broken.trim_end().len());
            broken.push('\n');
            broken.push_str(&indent);
            length = indent.len();
        }
        broken.push_str(word);
        length += word.chars().count();
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_between_words() {
        let end = "Enter starts a new game, 'rematch' one with the other side; 'pgn FILE' writes the game.";
        assert_eq!(
            wrapped(end, 80),
            "Enter starts a new game, 'rematch' one with the other side; 'pgn FILE' writes\nthe game."
        );
        let command = "pgn FILE            write the game to a file";
        assert_eq!(wrapped(command, 44), command);
        assert_eq!(
            wrapped(command, 42),
            "pgn FILE            write the game to a\n                    file"
        );
        assert_eq!(
            wrapped("Müller\nunbreakable ü", 6),
            "Müller\nunbreakable\nü"
        );
    }
}
