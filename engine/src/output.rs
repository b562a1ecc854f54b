//! Output: boards, standard output, messages, JSON types, results and progress bars.

pub(crate) mod board;
pub(crate) mod debug_log;
pub(crate) mod json;
pub mod printer;
pub(crate) mod progress;
pub(crate) mod results;

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a message to standard error. Control characters are escaped, except line breaks, since
/// the message may quote untrusted text.
pub(crate) fn warn(message: impl Display) {
    let mut text = String::from("castellan: ");
    for character in message.to_string().chars() {
        if character.is_control() && character != '\n' {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    // Without standard error there is still the exit status.
    let _ = writeln!(io::stderr(), "{text}");
}
