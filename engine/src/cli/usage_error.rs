//! Errors in the arguments as the program prints them: with the usage of the command, how to get
//! its help, and the nearest name for a mistyped one.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

use crate::text::nearest;
use crate::uci::command::names as uci_commands;

/// Returns the text of an error of `clap` for these arguments, the first of which is the program's
/// name.
pub(super) fn message(mut error: Error, mut program: Command, arguments: &[OsString]) -> String {
    program.build();
    let arguments = arguments.get(1..).unwrap_or_default();
    let mut command = command(program, arguments);
    // It advises to write `--` before anything it does not know.
    error.remove(ContextKind::Suggested);
    match error.kind() {
        ErrorKind::UnknownArgument => suggest_option(&mut error, &command, arguments),
        ErrorKind::InvalidSubcommand => suggest_subcommand(&mut error, &command, arguments),
        _ => {}
    }
    let usage = command.render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    let name = command.get_bin_name().unwrap_or_default();
    let text = error.render().to_string();
    let text = text.replace("try '--help'", &format!("try '{name} --help'"));
    text.strip_prefix("error: ")
        .unwrap_or(&text)
        .trim_end()
        .to_owned()
}

/// The command that these arguments name; that of `help` is the one it is about.
fn command(program: Command, arguments: &[OsString]) -> Command {
    let mut command = program;
    for argument in arguments.iter().filter(|word| *word != "help") {
        match command.find_subcommand(argument).cloned() {
            Some(found) => command = found,
            None => break,
        }
    }
    command
}

fn suggest_option(error: &mut Error, command: &Command, arguments: &[OsString]) {
    error.remove(ContextKind::SuggestedArg);
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else {
        return;
    };
    // Of `-depth` only `-d` is reported.
    let is_typed = |argument: &&str| argument.starts_with(found.as_str());
    let mut typed = arguments.iter().filter_map(|argument| argument.to_str());
    let typed = typed.find(is_typed).unwrap_or(found).to_owned();
    let typed = typed.split('=').next().unwrap_or_default().to_owned();
    let name = typed.trim_start_matches('-');
    let options = command
        .get_arguments()
        .filter_map(|option| option.get_long());
    let options = strings(nearest(name, options), "--");
    let commands = command.get_subcommands().map(Command::get_name);
    let commands = strings(nearest(name, commands), "");
    if !options.is_empty() {
        error.insert(ContextKind::SuggestedArg, ContextValue::Strings(options));
    } else if !commands.is_empty() {
        let commands = ContextValue::Strings(commands);
        error.insert(ContextKind::SuggestedSubcommand, commands);
    }
    error.insert(ContextKind::InvalidArg, ContextValue::String(typed));
}

fn suggest_subcommand(error: &mut Error, command: &Command, arguments: &[OsString]) {
    error.remove(ContextKind::SuggestedSubcommand);
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let subcommands = command.get_subcommands();
    let subcommands = subcommands.flat_map(Command::get_name_and_visible_aliases);
    let mut names: Vec<&str> = subcommands.collect();
    // Only the program itself takes UCI commands.
    let is_program = command.get_bin_name() == Some(command.get_name());
    if is_program && arguments.first().is_some_and(|first| first != "help") {
        names.extend(uci_commands().map(|name| -> &str { name }));
    }
    let names = strings(nearest(typed, names), "");
    if !names.is_empty() {
        let names = ContextValue::Strings(names);
        error.insert(ContextKind::SuggestedSubcommand, names);
    }
}

fn strings(names: Vec<&str>, prefix: &str) -> Vec<String> {
    let names = names.into_iter();
    names.map(|name| format!("{prefix}{name}")).collect()
}
