//! The program: reads lines, answers them, leaves at `quit`, at the end of the input, or when
//! nobody reads any more.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr
)]

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use castellan::command::Command;
use castellan::error::UciError;
use castellan::help::HELP;
use castellan::input::{InputError, LineReader};
use castellan::memory::available_mebibytes;
use castellan::options::{OptionTable, Setting};
use castellan::printer::Printer;
use castellan::{AUTHOR, NAME};

fn main() -> ExitCode {
    let printer = Printer::new(io::stdout());
    let options = OptionTable::new(available_mebibytes());
    let mut input = LineReader::new(io::stdin().lock());
    while !printer.is_closed() {
        match input.next_line() {
            Ok(Some(line)) => {
                printer.heard(&line);
                match answer(&line, &options, &printer) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => break,
                    Err(error) => printer.error(error),
                }
            }
            Ok(None) => break,
            Err(error @ InputError::Read(_)) => {
                printer.error(error);
                return ExitCode::FAILURE;
            }
            Err(error) => printer.error(error),
        }
    }
    ExitCode::SUCCESS
}

fn answer<W: Write>(
    line: &str,
    options: &OptionTable,
    printer: &Printer<W>,
) -> Result<ControlFlow<()>, UciError> {
    let Some(command) = Command::parse(line)? else {
        return Ok(ControlFlow::Continue(()));
    };
    match command {
        Command::Uci => {
            let head = [format!("id name {NAME}"), format!("id author {AUTHOR}")];
            let tail = ["uciok".to_owned()];
            printer.lines(head.into_iter().chain(options.lines()).chain(tail));
        }
        Command::IsReady => printer.line("readyok"),
        Command::SetOption { name, value } => {
            if let Setting::DebugLogFile(path) = options.read(&name, value.as_deref())?
                && let Err(error) = printer.log_to(path.as_deref())
            {
                printer.error(error);
            }
        }
        Command::Help => printer.lines(HELP),
        Command::Quit => return Ok(ControlFlow::Break(())),
        Command::Register | Command::NewGame | Command::Stop | Command::PonderHit => {}
        Command::Debug(_)
        | Command::Position { .. }
        | Command::Go(_)
        | Command::Display
        | Command::Eval
        | Command::Flip
        | Command::Bench { .. }
        | Command::Tune => printer.error("this build knows the command but cannot play yet"),
    }
    Ok(ControlFlow::Continue(()))
}
