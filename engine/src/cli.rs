//! The command line: a session without arguments, or one job and out.

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::iter::once;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use tridim::cli::TridimCommand;

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

/// A chess engine. Without a command it speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(
    name = "castellan",
    override_usage = "castellan
       castellan analyze [FEN]... [--file FILE] ...
       castellan annotate [PGN]... [--out FILE] [--html FOLDER] ...
       castellan bench [DEPTH]
       castellan book <make|show> ...
       castellan completions SHELL
       castellan epd FILE ...
       castellan eval [FEN]
       castellan man [JOB]
       castellan perft DEPTH [FEN]
       castellan play [OPTIONS]
       castellan tridim <play|perft|analyze|random|svg> ...",
    disable_version_flag = true,
    disable_help_subcommand = true,
    after_help = "On standard input, 'help' lists the commands of a session."
)]
struct CommandLine {
    #[command(subcommand)]
    job: Option<Job>,
    /// Prints name and version
    #[arg(short = 'V', long, exclusive = true)]
    version: bool,
}

/// What is done instead of a session.
#[derive(Debug, Subcommand)]
enum Job {
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
    /// Plays and examines Tri-Dimensional chess
    #[command(subcommand)]
    Tridim(TridimCommand),
}

/// Does what the arguments (without the program's name) ask.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let printer = Printer::new(io::stdout());
    let words = once(OsString::from("castellan")).chain(arguments);
    let asked = match CommandLine::try_parse_from(words) {
        Ok(asked) => asked,
        Err(answer) => return without_a_job(&answer, &printer),
    };
    if asked.version {
        printer.line(format_args!("{NAME} by {AUTHOR}"));
        return ExitCode::SUCCESS;
    }
    match asked.job {
        None => session(&printer),
        Some(Job::Bench(args)) => ended(bench::job(&args, &printer)),
        Some(Job::Analyze(args)) => ended(analyze::run(&args)),
        Some(Job::Annotate(args)) => ended(annotate::run(&args)),
        Some(Job::Book(job)) => ended(book::run(&job, &printer)),
        Some(Job::Completions(args)) => {
            manual::completions(&args, CommandLine::command(), &printer);
            ExitCode::SUCCESS
        }
        Some(Job::Epd(args)) => ended(epd::run(&args, &printer)),
        Some(Job::Eval(args)) => ended(eval::run(&args, &printer)),
        Some(Job::Man(args)) => ended(manual::man(&args, CommandLine::command(), &printer)),
        Some(Job::Perft(args)) => ended(perft::run(&args, &printer)),
        Some(Job::Play(args)) => ended(play::run(&args, &printer)),
        Some(Job::Tridim(job)) => ended(tridim::cli::run(&job)),
    }
}

/// How a job ended, for a person and for the shell.
fn ended(how: Result<(), impl Display>) -> ExitCode {
    match how {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn(error);
            ExitCode::FAILURE
        }
    }
}

fn session(printer: &Printer<io::Stdout>) -> ExitCode {
    let options = OptionTable::for_this_machine();
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

/// Help that was asked for, or what is wrong with the arguments and what would be right.
fn without_a_job(answer: &clap::Error, printer: &Printer<io::Stdout>) -> ExitCode {
    let text = answer.render().to_string();
    if !answer.use_stderr() {
        printer.line(text.trim_end());
        return ExitCode::SUCCESS;
    }
    let mut text = text.strip_prefix("error: ").unwrap_or(&text).to_owned();
    if !text.contains("\nUsage: ") {
        text = format!("{text}\n{}", CommandLine::command().render_usage());
    }
    warn(text.replace("\nUsage: ", "\nusage: ").trim_end());
    ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(u8::MAX))
}
