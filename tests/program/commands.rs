//! The subcommands of the program.

use test_common::Finished;

use crate::CASTELLAN;

mod analyze;
mod annotate;
mod annotate_files;
mod batch;
#[cfg(unix)]
mod board;
mod book;
mod documents;
#[cfg(unix)]
mod examples;
mod fen;
mod manual;
mod perft_bench_eval;
mod pgn;
mod play;
mod play_saved;
#[cfg(unix)]
mod play_terminal;
mod tridim;
mod two_processes;
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

/// The commands without subcommands of their own, each as its words, from the program's help.
fn commands() -> Vec<Vec<String>> {
    subcommands(&[])
}

fn subcommands(path: &[String]) -> Vec<Vec<String>> {
    let mut arguments: Vec<&str> = path.iter().map(String::as_str).collect();
    arguments.push("--help");
    let help = CASTELLAN.run(&arguments, "").success();
    let Some((_, list)) = help.split_once("\nCommands:\n") else {
        return vec![path.to_vec()];
    };
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
    names
        .flat_map(|name| subcommands(&[path, &[name.to_owned()]].concat()))
        .collect()
}
