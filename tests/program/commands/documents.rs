//! The documentation is true: every console example in it is run, and it covers every command,
//! every argument and every UCI option that the program reports.
//!
//! In a block marked `console`, a line after `$ ` is a command; `$ cat FILE` instead creates a
//! file for the commands after it. The other lines are the expected output, standard output
//! first; `...` stands for any text, including line breaks.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use test_common::{TempDir, repository_file, repository_path};

use super::{CASTELLAN, commands};

struct Example {
    command: String,
    output: Vec<String>,
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
                output: Vec::new(),
            });
        } else if inside {
            let example = examples.last_mut().expect("a command before its output");
            example.output.push(line.to_owned());
        }
    }
    examples
}

/// Whether `output` matches `expected`, in which `...` stands for any text.
fn matches(expected: &str, output: &str) -> bool {
    let Some((start, rest)) = expected.split_once("...") else {
        return expected == output;
    };
    let (middle, end) = rest.rsplit_once("...").unwrap_or(("", rest));
    let inner = output
        .strip_prefix(start)
        .and_then(|output| output.strip_suffix(end));
    let mut pieces = middle.split("...");
    let rest = inner
        .and_then(|inner| pieces.try_fold(inner, |rest, piece| Some(rest.split_once(piece)?.1)));
    rest.is_some()
}

fn output(command: &str, directory: &Path) -> Vec<String> {
    let mut paths = OsString::from(CASTELLAN.path().parent().expect("a directory"));
    paths.push(":");
    paths.push(env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(directory)
        .env("PATH", paths)
        .env("XDG_STATE_HOME", directory)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8");
    text.lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn examples_print_what_the_documents_say() {
    for (document, min_examples) in [
        ("docs/annotate.md", 1),
        ("docs/play.md", 1),
        ("docs/commands.md", 15),
        ("docs/tridim.md", 3),
    ] {
        let directory = TempDir::new(&document.replace('/', " "));
        let examples = examples(&repository_file(document));
        assert!(examples.len() >= min_examples, "{document}");
        for Example {
            command,
            output: expected,
        } in examples
        {
            if let Some(name) = command.strip_prefix("cat ") {
                directory.write(name, expected.join("\n") + "\n");
                continue;
            }
            let output = output(&command, directory.directory()).join("\n");
            let expected = expected.join("\n");
            assert!(
                matches(&expected, &output),
                "{document}: {command}\n{output}\n-- expected\n{expected}"
            );
        }
    }
}

/// All documents: name and text.
fn documents() -> Vec<(String, String)> {
    let files = fs::read_dir(repository_path("docs")).expect("a directory");
    let paths = files.map(|file| file.expect("a file").path());
    let documents = paths.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let read = |path: &Path| fs::read_to_string(path).expect("UTF-8");
    documents
        .map(|path| (path.display().to_string(), read(&path)))
        .collect()
}

/// The words of a text that look like long options.
fn options(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.len() > 2 && word.starts_with("--"))
        .collect()
}

#[test]
fn every_command_and_option_is_documented() {
    let documents = documents();
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for command in &commands {
        let name = format!("castellan {}", command.join(" "));
        // A document on a group of commands may have a table of them.
        let (group, entry) = (
            format!("castellan {}", command[0]),
            format!("`{}", command[command.len() - 1]),
        );
        let is_about =
            |text: &str| text.contains(&name) || text.contains(&group) && text.contains(&entry);
        let about = documents.iter().filter(|(_, text)| is_about(text));
        let documented: Vec<&str> = about.flat_map(|(_, text)| options(text)).collect();
        assert!(!documented.is_empty(), "no document mentions {name}");
        let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = CASTELLAN
            .run(&[&arguments[..], &["--help"]].concat(), "")
            .success();
        for option in options(&help) {
            assert!(
                option == "--help" || documented.contains(&option),
                "{option} of {name} is not documented"
            );
        }
    }
}

#[test]
fn every_uci_option_and_command_is_documented() {
    let output = CASTELLAN.run(&[], "uci\nhelp\nquit\n").success();
    let (handshake, help) = output
        .split_once("uciok\n")
        .expect("the end of the options");
    let names: Vec<&str> = handshake
        .lines()
        .filter_map(|line| line.strip_prefix("option name ")?.split(" type ").next())
        .collect();
    assert!(names.len() > 10, "{handshake}");
    let commands: Vec<&str> = help
        .lines()
        .filter_map(|line| line.split([' ', '[']).next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(commands.len() > 10, "{help}");
    let document = repository_file("docs/uci.md");
    let missing: Vec<&str> = names
        .into_iter()
        .filter(|name| !document.contains(&format!("`{name}`")))
        .chain(commands.into_iter().filter(|name| {
            !document.contains(&format!("`{name}`")) && !document.contains(&format!("`{name} "))
        }))
        .collect();
    assert_eq!(missing, [""; 0]);
}
