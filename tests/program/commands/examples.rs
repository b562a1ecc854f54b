//! The documentation is true: every console example in it is run by a shell.
//!
//! In a block marked `console`, a line after `$ ` is a command; `$ cat FILE` instead creates a
//! file for the commands after it. The other lines are the expected output, standard output
//! first; `...` stands for any text, including line breaks.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use test_common::{TempDir, repository_file};

use super::CASTELLAN;

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

/// True if `output` matches `expected`, in which `...` stands for any text.
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

#[test]
fn examples_print_what_the_documents_say() {
    for (document, min_examples) in [
        ("docs/annotate.md", 1),
        ("docs/play.md", 1),
        ("docs/commands.md", 15),
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
