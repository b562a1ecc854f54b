//! Output: boards, standard output, messages, JSON types, scores and progress bars.

pub(crate) mod board;
pub(crate) mod debug_log;
pub(crate) mod json;
pub mod printer;
pub(crate) mod progress;
pub(crate) mod score;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use common::escape_controls;

/// Prints a message to standard error. Control characters are escaped, except line breaks, since
/// the message may quote untrusted text.
pub(crate) fn warn(message: impl Display) {
    let message = message.to_string();
    let lines: Vec<String> = message.split('\n').map(escape_controls).collect();
    // Without standard error there is still the exit status.
    let _ = writeln!(io::stderr(), "castellan: {}", lines.join("\n"));
}

/// True if standard output is a terminal; a Windows console is told to obey control sequences.
pub(crate) fn is_ansi_terminal() -> bool {
    anstyle_query::windows::enable_ansi_colors();
    io::stdout().is_terminal()
}
