//! The documents say the truth: every example of a shell in them is run.
//!
//! In a block marked `console`, a line behind `$ ` is a command; `$ cat FILE` instead shows a
//! file that the commands after it find. Every other line is what is said, standard output first;
//! `...` in it stands for anything, line ends too.

use crate::CASTELLAN;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use test_common::{TempDir, repository_file};

struct Example {
    command: String,
    said: Vec<String>,
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            examples.push(Example {
                command: command.to_owned(),
                said: Vec::new(),
            });
        } else if inside {
            let example = examples.last_mut().expect("a command before its output");
            example.said.push(line.to_owned());
        }
    }
    examples
}

/// Whether it is the expected text, in which `...` stands for anything: each piece between is
/// looked for where it comes first, and the last at the end.
fn fits(expected: &str, said: &str) -> bool {
    let Some((start, rest)) = expected.split_once("...") else {
        return expected == said;
    };
    let (middle, end) = rest.rsplit_once("...").unwrap_or(("", rest));
    let Some(mut said) = said
        .strip_prefix(start)
        .and_then(|said| said.strip_suffix(end))
    else {
        return false;
    };
    middle
        .split("...")
        .all(|piece| match said.split_once(piece) {
            Some((_, behind)) => {
                said = behind;
                true
            }
            None => false,
        })
}

fn said(command: &str, folder: &Path) -> Vec<String> {
    let binary = CASTELLAN.path();
    let mut paths = OsString::from(binary.parent().expect("a folder"));
    paths.push(":");
    paths.push(env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", paths)
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("text");
    text.lines().map(str::to_owned).collect()
}

fn check(document: &str, least: usize) {
    let folder = TempDir::new(&document.replace('/', " "));
    let examples = examples(&repository_file(document));
    assert!(
        examples.len() >= least,
        "{document} has {} examples",
        examples.len()
    );
    for Example {
        command,
        said: expected,
    } in examples
    {
        if let Some(name) = command.strip_prefix("cat ") {
            fs::write(folder.path(name), expected.join("\n") + "\n").expect("it can be written");
            continue;
        }
        let said = said(&command, Path::new(&folder.path("")));
        let fit = fits(&expected.join("\n"), &said.join("\n"));
        assert!(
            fit,
            "{document}: {command}\n{}\n-- should be\n{}",
            said.join("\n"),
            expected.join("\n")
        );
    }
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_shell_are_true() {
    check("docs/annotate.md", 1);
    check("docs/play.md", 1);
    check("docs/commands.md", 15);
    check("docs/tridim.md", 3);
}

/// All words of a text that begin like options of the shell.
fn options(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.len() > 2 && word.starts_with("--"))
        .collect()
}

#[test]
fn every_option_of_every_job_is_in_the_documents() {
    let missing = |job: &[&str], document: &str| -> Vec<String> {
        let help = CASTELLAN.run(&[job, &["--help"]].concat(), "").success();
        let told = repository_file(document);
        let known = options(&told);
        let asked = options(&help);
        assert!(asked.contains(&"--help"), "{help}");
        let unknown = asked.into_iter().filter(|option| !known.contains(option));
        unknown
            .map(|option| format!("{option} of {job:?}"))
            .collect()
    };
    let shell = "docs/commands.md";
    let mut found = Vec::new();
    for (job, document) in [
        (&["analyze"][..], shell),
        (&["annotate"], "docs/annotate.md"),
        (&["bench"], shell),
        (&["book", "make"], "docs/uci.md"),
        (&["book", "show"], "docs/uci.md"),
        (&["completions"], shell),
        (&["epd"], shell),
        (&["eval"], shell),
        (&["man"], shell),
        (&["perft"], shell),
        (&["play"], "docs/play.md"),
    ] {
        let missing = missing(job, document).into_iter();
        found.extend(missing.filter(|option| !option.starts_with("--help ")));
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn every_option_of_the_protocol_is_in_the_documents() {
    let said = CASTELLAN.run(&[], "uci\nquit\n").success();
    let told = repository_file("docs/uci.md");
    let names = said
        .lines()
        .filter_map(|line| line.strip_prefix("option name "));
    let names: Vec<&str> = names
        .filter_map(|rest| rest.split(" type ").next())
        .collect();
    assert!(names.len() > 10, "{said}");
    for name in names {
        assert!(told.contains(&format!("`{name}`")), "nothing of {name}");
    }
}
