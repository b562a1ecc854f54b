//! The subcommands of the program.

use test_common::Finished;

use crate::CASTELLAN;

mod analyze;
mod annotate;
mod batch;
#[cfg(unix)]
mod board;
mod documents;
#[cfg(unix)]
mod examples;
mod fen;
mod manual;
mod out_files;
mod pgn;
mod play;
mod play_saved;
#[cfg(unix)]
mod play_terminal;
mod usage;

/// The words of `fixed`, and arguments that may have blanks.
fn arguments<'a>(fixed: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    fixed
        .split_whitespace()
        .chain(more.iter().copied())
        .collect()
}

fn run(fixed: &str, more: &[&str], input: impl AsRef<[u8]>) -> Finished {
    CASTELLAN.run(&arguments(fixed, more), input)
}

/// Asserts that a run fails with this exit code and an error that contains `expected`.
fn fails(fixed: &str, more: &[&str], code: i32, expected: &str) {
    let stderr = CASTELLAN.run_failing(&arguments(fixed, more), code);
    let message = format!("'{expected}' is not in {stderr}");
    assert!(
        stderr.to_lowercase().contains(&expected.to_lowercase()),
        "{message}"
    );
}

/// The commands of the program, from its help.
fn commands() -> Vec<String> {
    let help = CASTELLAN.run(&["--help"], "").success();
    let (_, list) = help.split_once("\nCommands:\n").expect("commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}
