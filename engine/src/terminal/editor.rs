//! Line editing, history and completion.

use std::fmt;
use std::io;

use rustyline::completion::Completer;
use rustyline::config::Configurer;
use rustyline::error::{ReadlineError, Signal};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Context, Editor, Helper};

const PROMPT: &str = "> ";
const DEFAULT_WIDTH: usize = 80;

pub(super) struct LineEditor(Editor<Completions, MemHistory>);

impl fmt::Debug for LineEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LineEditor")
    }
}

impl LineEditor {
    /// Returns `None` if the terminal cannot be used.
    pub(super) fn new() -> Option<Self> {
        let mut editor =
            Editor::with_history(rustyline::Config::default(), MemHistory::new()).ok()?;
        // Otherwise several pasted lines would arrive as one.
        editor.enable_bracketed_paste(false);
        editor.set_completion_type(CompletionType::List);
        editor.set_auto_add_history(true);
        Some(Self(editor))
    }

    /// The number of columns.
    pub(super) fn width(&mut self) -> usize {
        let width = self.0.dimensions().map(|(width, _)| usize::from(width));
        width.filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH)
    }

    /// Returns `None` at the end of the input and on an interrupt.
    pub(super) fn read(&mut self, completions: Vec<String>) -> io::Result<Option<String>> {
        self.0.set_helper(Some(Completions(completions)));
        loop {
            return match self.0.readline(PROMPT) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Signal(Signal::Resize)) => continue,
                #[cfg(unix)]
                Err(ReadlineError::Signal(Signal::Interrupt)) => Ok(None),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error.to_string())),
            };
        }
    }
}

/// The lines that can be completed.
struct Completions(Vec<String>);

impl Completer for Completions {
    type Candidate = String;

    /// Completes the whole line, so that the argument of a command can be completed too.
    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or_default();
        let start = typed.len() - typed.trim_start().len();
        let typed = typed.trim_start();
        let lines = self.0.iter().filter(|line| line.starts_with(typed));
        Ok((start, lines.cloned().collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}

impl Validator for Completions {}

impl Helper for Completions {}
