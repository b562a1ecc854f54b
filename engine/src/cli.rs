//! The command line: a subcommand, UCI commands, or, without either, a UCI session.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};

use crate::AUTHOR;
use crate::commands::analyze::{self, AnalyzeArgs};
use crate::commands::annotate::{self, AnnotateArgs};
use crate::commands::board::{self, BoardArgs};
use crate::commands::fen::{self, FenArgs};
use crate::commands::manual::{self, CompletionsArgs, ManArgs};
use crate::commands::pgn::{self, PgnArgs};
use crate::output::printer::Printer;
use crate::output::warn;
use crate::terminal::play::{self, PlayArgs};
use crate::uci::command::is_command;
use crate::uci::session::Session;
use common::NAME;
use common::lock::is_in_use;
use service::OptionTable;

/// A chess engine. Without a command, starts a UCI session on standard input and output
#[derive(Debug, Parser)]
#[command(
    name = "castellan",
    bin_name = "castellan",
    disable_version_flag = true,
    after_help = "UCI commands are accepted as arguments: 'castellan go perft 5', 'castellan bench'. The UCI \
                  command 'help' lists them."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// Print name and version
    #[arg(short = 'V', long, exclusive = true)]
    version: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    #[command(visible_alias = "analyse")]
    Analyze(AnalyzeArgs),
    Annotate(AnnotateArgs),
    Board(BoardArgs),
    Completions(CompletionsArgs),
    Fen(FenArgs),
    Man(ManArgs),
    Pgn(PgnArgs),
    Play(Box<PlayArgs>),
}

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let printer = Printer::new(io::stdout());
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match run_with(&arguments, &printer) {
        _ if printer.has_failed() => ExitCode::FAILURE,
        code => code,
    }
}

fn run_with(arguments: &[OsString], printer: &Printer<io::Stdout>) -> ExitCode {
    if let Some(lines) = uci_lines(arguments) {
        return uci_session(&lines, printer);
    }
    let CommandLine { command, version } = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => return help_or_usage_error(&with_replacement(error), printer),
    };
    if version {
        printer.line(format_args!("{NAME} by {AUTHOR}"));
        return ExitCode::SUCCESS;
    }
    let Some(command) = command else {
        return uci_session(&[], printer);
    };
    match execute(&command, printer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn(&error);
            error_code(&error)
        }
    }
}

/// Exit status of a run that has not started, since another process writes the same file: it may
/// be repeated.
const EXIT_IN_USE: u8 = 2;

fn error_code(error: &anyhow::Error) -> ExitCode {
    if is_in_use(error.as_ref()) {
        ExitCode::from(EXIT_IN_USE)
    } else {
        ExitCode::FAILURE
    }
}

fn execute(command: &Subcommand, printer: &Printer<io::Stdout>) -> Result<()> {
    match command {
        Subcommand::Analyze(args) => analyze::run(args, printer)?,
        Subcommand::Annotate(args) => annotate::run(args, printer)?,
        Subcommand::Board(args) => board::run(args)?,
        Subcommand::Completions(args) => manual::completions(args, CommandLine::command(), printer),
        Subcommand::Fen(args) => fen::run(args, printer)?,
        Subcommand::Man(args) => manual::man(args, CommandLine::command(), printer)?,
        Subcommand::Pgn(args) => pgn::run(args, printer)?,
        Subcommand::Play(args) => play::run(args)?,
    }
    Ok(())
}

/// The arguments as UCI commands: one in each argument in quotation marks, or one in all words
/// together. `None` if they are not UCI commands.
fn uci_lines(arguments: &[OsString]) -> Option<Vec<String>> {
    let arguments = arguments.iter().skip(1).map(|argument| argument.to_str());
    let arguments: Vec<&str> = arguments.collect::<Option<_>>()?;
    let first = *arguments.first()?;
    let (word, quoted) = match first.split_once(' ') {
        Some((word, _)) => (word, true),
        None => (first, false),
    };
    let mut program = CommandLine::command();
    // Adds `help`.
    program.build();
    if !is_command(word) || !quoted && program.find_subcommand(word).is_some() {
        return None;
    }
    Some(if quoted {
        arguments.into_iter().map(str::to_owned).collect()
    } else {
        vec![arguments.join(" ")]
    })
}

/// For a person who has started the program without a command.
const GREETING: [&str; 2] = [
    NAME,
    "UCI engine; 'help' lists commands, 'castellan play' plays, 'castellan board' opens the board",
];

/// Executes these lines up to the first that fails, or, if there are none, those of standard input.
/// Errors go to standard output, where a GUI looks for them.
fn uci_session(lines: &[String], printer: &Printer<io::Stdout>) -> ExitCode {
    let run = || -> Result<bool> {
        let program = CommandLine::command();
        let subcommands = program
            .get_subcommands()
            .flat_map(clap::Command::get_name_and_visible_aliases)
            .map(str::to_owned)
            .collect();
        let session = Session::new(printer.clone(), OptionTable::default(), subcommands)?;
        if lines.is_empty() {
            if io::stdin().is_terminal() {
                printer.lines(GREETING);
            }
            session.run(io::stdin().lock())?;
            return Ok(true);
        }
        session.run_commands(lines, || io::stdin().lock())
    };
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            printer.error(error);
            ExitCode::FAILURE
        }
    }
}

/// Commands of other chess programs, and the ones that do the same here.
const REPLACEMENTS: [(&str, &str); 2] = [
    ("perft", "castellan go perft 5"),
    ("epd", "castellan analyze --json FILE"),
];

/// Names what replaces a subcommand that does not exist.
fn with_replacement(mut error: clap::Error) -> clap::Error {
    let tip = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => {
            let found = REPLACEMENTS.iter().find(|(name, _)| name == word);
            found.map(|(_, replacement)| format!("use '{replacement}'"))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// Prints what clap returns instead of arguments: the requested help, or an error.
fn help_or_usage_error(error: &clap::Error, printer: &Printer<io::Stdout>) -> ExitCode {
    let text = error.render().to_string();
    if !error.use_stderr() {
        printer.line(text.trim_end());
        return ExitCode::SUCCESS;
    }
    warn(text.trim_start_matches("error: ").trim_end());
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(u8::MAX))
}
