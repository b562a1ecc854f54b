//! The subcommands of the program.

use test_common::Program;

mod analyze;
mod analyze_input;
mod analyze_resume;
mod annotate;
mod book;
mod documents;
mod epd;
mod manual;
mod perft_bench_eval;
mod play;
mod play_kept;
mod tridim;

const CASTELLAN: Program = Program::new(env!("CARGO_BIN_EXE_castellan"));

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
