//! The real binary with input and output of its own.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) said: String,
    pub(crate) complaint: String,
    pub(crate) code: Option<i32>,
}

impl Ended {
    /// What was said, by a run that must have gone well.
    pub(crate) fn well(self) -> String {
        assert_eq!(
            (self.complaint.as_str(), self.code),
            ("", Some(0)),
            "{}",
            self.said
        );
        self.said
    }

    /// The same as lines of JSON.
    pub(crate) fn json(&self) -> Vec<Value> {
        let read =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.said.lines().map(read).collect()
    }
}

/// Runs to the end with this on standard input.
pub(crate) fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Ended {
    finish(start(arguments), input)
}

/// The same; what it keeps for itself is kept in a folder.
pub(crate) fn run_in(state: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Ended {
    finish(start_in(state, arguments), input)
}

fn finish(mut child: Child, input: impl AsRef<[u8]>) -> Ended {
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.as_ref().to_vec();
    // It may leave without reading everything.
    let writing = thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().expect("it runs");
    writing.join().expect("writing ends when the program does");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ended {
        said: text(output.stdout),
        complaint: text(output.stderr),
        code: output.status.code(),
    }
}

pub(crate) fn start(arguments: &[&str]) -> Child {
    spawn(Command::new(env!("CARGO_BIN_EXE_castellan")).args(arguments))
}

pub(crate) fn start_in(state: &str, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_castellan"));
    spawn(command.args(arguments).env("XDG_STATE_HOME", state))
}

fn spawn(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The complaint of a run that must fail with this exit code and say nothing else.
pub(crate) fn refused(arguments: &[&str], code: i32) -> String {
    let ended = run(arguments, "");
    assert_eq!(
        (ended.said.as_str(), ended.code),
        ("", Some(code)),
        "{arguments:?}"
    );
    assert!(
        ended.complaint.starts_with("castellan: "),
        "{}",
        ended.complaint
    );
    ended.complaint
}

/// A file that stands in the house.
pub(crate) fn house(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Some positions of a suite, spread over all of it.
pub(crate) fn positions(count: usize) -> String {
    let suite = house("tests/data/mates2000.epd");
    let lines: Vec<&str> = suite.lines().collect();
    let step = lines.len() / count;
    let chosen = lines.iter().step_by(step).take(count);
    chosen.map(|line| format!("{line}\n")).collect()
}
