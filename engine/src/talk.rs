//! Talking with a person who sits at a board: a line is asked for, and what it says that cannot
//! be done is answered in words.

use std::fmt::Display;
use std::io::{self, BufRead, Write};

use crate::input::{InputError, LineReader};
use crate::output::printer::Printer;
use crate::text::excerpt;

/// The next line that can be read; those before it are told of. `None` when there is no more, or
/// nobody hears us. With `prompts` the person is told when it is their turn.
pub(crate) fn ask<W: Write>(
    printer: &Printer<W>,
    lines: &mut LineReader<impl BufRead>,
    prompts: bool,
) -> io::Result<Option<String>> {
    while !printer.is_closed() {
        if prompts {
            printer.prompt("> ");
        }
        match lines.next_line() {
            Ok(line) => return Ok(line),
            Err(InputError::Read(error)) => return Err(error),
            Err(error) => printer.line(error),
        }
    }
    Ok(None)
}

/// Says why something was not done. It may repeat what was typed, which may hold anything.
pub(crate) fn refuse<W: Write>(printer: &Printer<W>, why: &impl Display) {
    let why = why.to_string();
    printer.lines(why.lines().map(shown_line));
}

fn shown_line(line: &str) -> String {
    if line.contains(char::is_control) {
        excerpt(line)
    } else {
        line.to_owned()
    }
}
