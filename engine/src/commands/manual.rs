//! `castellan completions` and `castellan man`: shell completions and manual pages.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use common::files::{FileError, create};
use common::manual::{DATE, section, tidy};
use common::{NAME, excerpt};
use service::OptionTable;

use crate::output::printer::Printer;

/// Print shell completions
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    shell: Shell,
}

/// Print the manual page of the program or of a command
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// A command, such as analyze
    command: Option<String>,
    /// Write all pages to new files in a directory
    #[arg(long, value_name = "DIRECTORY", conflicts_with = "command")]
    all: Option<PathBuf>,
}

pub(crate) fn completions(
    args: &CompletionsArgs,
    mut command: Command,
    printer: &Printer<io::Stdout>,
) {
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    printer.line(String::from_utf8_lossy(&text).trim_end());
}

/// A program of its own, which prints its page.
const BOARD: &str = "board";

pub(crate) fn man(args: &ManArgs, command: Command, printer: &Printer<io::Stdout>) -> Result<()> {
    // `help` has no page, since it shows what the pages of the others say.
    let program = command.disable_help_subcommand(true);
    if let Some(directory) = &args.all {
        let commands = program.get_subcommands();
        let commands = commands.filter(|found| found.get_name() != BOARD);
        for command in [program.clone()]
            .into_iter()
            .chain(commands.map(of_program))
        {
            let path = directory.join(format!("{}.1", title(&command)));
            let page = page(command).map_err(FileError::write(&path))?;
            create(&path, page.as_bytes())?;
        }
        return Ok(());
    }
    let shown = match args.command.as_deref() {
        None => program,
        Some(BOARD) => {
            let board = "castellan-board";
            bail!("'{board}' is a program of its own; use '{board} --man'");
        }
        Some(word) => {
            let found = program.find_subcommand(word).map(of_program);
            found.with_context(|| {
                let known: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
                let (word, known) = (excerpt(word), known.join(", "));
                format!("unknown command '{word}'; expected one of {known}")
            })?
        }
    };
    printer.line(page(shown)?.trim_end());
    Ok(())
}

/// A subcommand under its full name.
fn of_program(command: &Command) -> Command {
    let name = command.get_name();
    let (full, typed) = (format!("castellan-{name}"), format!("castellan {name}"));
    command.clone().display_name(full).bin_name(typed)
}

fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn page(command: Command) -> io::Result<String> {
    let title = title(&command).to_uppercase();
    let is_program = command.get_display_name().is_none();
    let man = Man::new(command).title(title).date(DATE).source(NAME);
    let mut text = Vec::new();
    man.manual("Castellan Manual").render(&mut text)?;
    let mut text = String::from_utf8_lossy(&text).into_owned();
    if is_program {
        text += &options();
        text += &section("ENVIRONMENT", ENVIRONMENT);
        text += &section("FILES", FILES);
    }
    text += &section("EXIT STATUS", EXIT_STATUS);
    Ok(tidy(&text))
}

/// The options of the UCI engine.
fn options() -> String {
    let lines: Vec<String> = OptionTable::default().lines().collect();
    let options = lines.iter().filter_map(|line| {
        let option = line.strip_prefix("option name ")?;
        option.split_once(" type ")
    });
    section("UCI OPTIONS", options)
}

const ENVIRONMENT: [(&str, &str); 2] = [
    ("XDG_STATE_HOME, HOME", "The directory of FILES is there."),
    (
        "NO_COLOR, TERM",
        "With NO_COLOR, or TERM set to dumb, nothing is printed in color.",
    ),
];

const FILES: [(&str, &str); 1] = [(
    "~/.local/state/castellan",
    "Games played in the terminal and on the board, and the address and the token of the board.",
)];

const EXIT_STATUS: [(&str, &str); 3] = [
    ("0", "Success."),
    ("1", "Failure, reported on standard error."),
    (
        "2",
        "The command line is invalid, or another process writes the same output.",
    ),
];
