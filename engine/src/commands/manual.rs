//! `castellan completions` and `castellan man`: shell completions and manual pages.

use std::io;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use common::excerpt;

use crate::CommandError;
use crate::output::printer::Printer;
use game::NAME;

/// Print shell completions
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    shell: Shell,
}

/// Print the manual page of the program or of a command
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// A command, such as analyze or 'book make'
    command: Vec<String>,
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

pub(crate) fn man(
    args: &ManArgs,
    mut command: Command,
    printer: &Printer<io::Stdout>,
) -> Result<(), CommandError> {
    let mut name = command.get_name().to_owned();
    // `help` has no page, since it shows what the pages of the others say.
    command = command.disable_help_subcommand(true);
    for word in &args.command {
        let Some(found) = command.find_subcommand(word).cloned() else {
            let known: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
            let word = excerpt(word);
            return Err(if known.is_empty() {
                format!("'{}' has no subcommand '{word}'", command.get_name())
            } else {
                let known = known.join(", ");
                format!("unknown command '{word}'; expected one of {known}")
            }
            .into());
        };
        name = format!("{name}-{}", found.get_name());
        command = found
            .disable_help_subcommand(true)
            .display_name(name.clone())
            .bin_name(name.replace('-', " "));
    }
    let mut text = Vec::new();
    Man::new(command).source(NAME).render(&mut text)?;
    printer.line(String::from_utf8_lossy(&text).trim_end());
    Ok(())
}
