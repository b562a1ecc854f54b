//! The command line: a session without arguments, or one job and out.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use crate::bench;
use crate::command::Command;
use crate::error::shown;
use crate::memory::available_mebibytes;
use crate::options::OptionTable;
use crate::printer::Printer;
use crate::session::Session;
use crate::{AUTHOR, NAME};

const USAGE: &str = "\
usage: castellan                  speaks UCI on standard input and output
       castellan bench [depth]    a fixed piece of work; ends with its nodes and nodes a second
       castellan --help           this text
       castellan --version        name and version
On standard input, 'help' lists the commands.";

/// As shells expect it of a misused program.
const MISUSED: u8 = 2;

/// Does what the arguments (without the program's name) ask.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<String> = arguments
        .into_iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let printer = Printer::new(io::stdout());
    match words.as_slice() {
        [] => session(&printer),
        ["--help" | "-h"] => {
            printer.line(USAGE);
            ExitCode::SUCCESS
        }
        ["--version" | "-V"] => {
            printer.line(format_args!("{NAME} by {AUTHOR}"));
            ExitCode::SUCCESS
        }
        ["bench", ..] => match Command::parse(&words.join(" ")) {
            Ok(Some(Command::Bench { depth })) => bench(depth, &printer),
            Ok(_) => misused(&format!("cannot read '{}'", shown(&words.join(" ")))),
            Err(error) => misused(&error.to_string()),
        },
        [word, ..] => misused(&format!("unknown argument '{}'", shown(word))),
    }
}

fn session(printer: &Printer<io::Stdout>) -> ExitCode {
    let options = OptionTable::new(available_mebibytes());
    match Session::new(printer.clone(), options) {
        Ok(session) => match session.run(io::stdin().lock()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                printer.error(error);
                ExitCode::FAILURE
            }
        },
        Err(error) => {
            printer.error(error);
            ExitCode::FAILURE
        }
    }
}

fn bench(depth: Option<u32>, printer: &Printer<io::Stdout>) -> ExitCode {
    let never = AtomicBool::new(false);
    match bench::run(depth, None, &never, |line| printer.line(line)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            printer.error(error);
            ExitCode::FAILURE
        }
    }
}

fn misused(what: &str) -> ExitCode {
    // With standard error gone too, the exit status still tells.
    let _ = writeln!(io::stderr(), "castellan: {what}\n{USAGE}");
    ExitCode::from(MISUSED)
}
