//! The command line: one subcommand, or a UCI session without any.

use std::error::Error;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tridim::cli::TridimCommand;

use crate::commands::CommandError;
use crate::commands::analyze::{self, AnalyzeArgs};
use crate::commands::annotate::{self, AnnotateArgs};
use crate::commands::bench::{self, BenchArgs};
use crate::commands::book::{self, BookCommand};
use crate::commands::epd::{self, EpdArgs};
use crate::commands::eval::{self, EvalArgs};
use crate::commands::manual::{self, CompletionsArgs, ManArgs};
use crate::commands::perft::{self, PerftArgs};
use crate::output::printer::Printer;
use crate::output::warn;
use crate::play::{self, PlayArgs};
use crate::uci::options::OptionTable;
use crate::uci::session::Session;
use crate::{AUTHOR, NAME};

/// A chess engine. Without a command, a UCI session on standard input and output.
#[derive(Debug, Parser)]
#[command(
    name = "castellan",
    bin_name = "castellan",
    disable_version_flag = true,
    disable_help_subcommand = true,
    after_help = "In a UCI session, 'help' lists its commands."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print name and version
    #[arg(short = 'V', long, exclusive = true)]
    version: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = "analyse")]
    Analyze(AnalyzeArgs),
    Annotate(AnnotateArgs),
    Bench(BenchArgs),
    /// Make and show opening books
    #[command(subcommand)]
    Book(BookCommand),
    Completions(CompletionsArgs),
    Epd(EpdArgs),
    Eval(EvalArgs),
    Man(ManArgs),
    Perft(PerftArgs),
    Play(PlayArgs),
    /// Play and analyze Tri-Dimensional chess
    #[command(subcommand)]
    Tridim(TridimCommand),
}

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let printer = Printer::new(io::stdout());
    let CommandLine { command, version } = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => return help_or_usage_error(&error, &printer),
    };
    if version {
        printer.line(format_args!("{NAME} by {AUTHOR}"));
        return ExitCode::SUCCESS;
    }
    let Some(command) = command else {
        return uci_session(&printer);
    };
    match execute(&command, &printer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn(error);
            ExitCode::FAILURE
        }
    }
}

fn execute(command: &Command, printer: &Printer<io::Stdout>) -> Result<(), CommandError> {
    match command {
        Command::Analyze(args) => analyze::run(args)?,
        Command::Annotate(args) => annotate::run(args)?,
        Command::Bench(args) => bench::run(args, printer)?,
        Command::Book(command) => book::run(command, printer)?,
        Command::Completions(args) => manual::completions(args, CommandLine::command(), printer),
        Command::Epd(args) => epd::run(args)?,
        Command::Eval(args) => eval::run(args, printer)?,
        Command::Man(args) => manual::man(args, CommandLine::command(), printer)?,
        Command::Perft(args) => perft::run(args, printer)?,
        Command::Play(args) => play::run(args, printer)?,
        Command::Tridim(job) => tridim::cli::run(job)?,
    }
    Ok(())
}

/// Errors go to standard output: that is where a UCI user interface looks for them.
fn uci_session(printer: &Printer<io::Stdout>) -> ExitCode {
    let session = Session::new(printer.clone(), OptionTable::for_this_machine());
    let result = session.map_err(Box::<dyn Error>::from);
    match result.and_then(|session| Ok(session.run(io::stdin().lock())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            printer.error(error);
            ExitCode::FAILURE
        }
    }
}

/// Prints what clap returns instead of arguments: the requested help, or an error.
fn help_or_usage_error(error: &clap::Error, printer: &Printer<io::Stdout>) -> ExitCode {
    let text = error.render().to_string();
    if !error.use_stderr() {
        printer.line(text.trim_end());
        return ExitCode::SUCCESS;
    }
    warn(text.strip_prefix("error: ").unwrap_or(&text).trim_end());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX))
}
