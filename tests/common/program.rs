//! Runs of the program under test from a shell.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;

use crate::UciEngine;

/// An executable under test. Only the test target of its own package knows its path:
///
/// ```ignore
/// const CASTELLAN: Program = Program::new(env!("CARGO_BIN_EXE_castellan"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Program {
    path: &'static str,
}

/// The result of a run.
#[derive(Debug)]
pub struct Finished {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

impl Program {
    pub const fn new(path: &'static str) -> Self {
        Self { path }
    }

    pub fn path(&self) -> &'static Path {
        Path::new(self.path)
    }

    /// Runs to the end with `input` on standard input.
    pub fn run(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Finished {
        finish(self.spawn(arguments), input)
    }

    /// Runs it with its saved games and settings in the directory `state`.
    pub fn run_in(&self, state: &str, arguments: &[&str], input: impl AsRef<[u8]>) -> Finished {
        finish(self.spawn_in(state, arguments), input)
    }

    /// Standard error of a run without input that must fail with this exit code and print
    /// nothing else. It must start with the program's name.
    pub fn run_failing(&self, arguments: &[&str], code: i32) -> String {
        let finished = self.run(arguments, "");
        assert_eq!(
            (finished.stdout.as_str(), finished.code),
            ("", Some(code)),
            "{arguments:?}"
        );
        let name = self.path().file_stem().expect("a file").display();
        let stderr = finished.stderr;
        assert!(stderr.starts_with(&format!("{name}: ")), "{stderr}");
        stderr
    }

    /// Starts it with three pipes.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        spawn(Command::new(self.path).args(arguments))
    }

    pub fn spawn_in(&self, state: &str, arguments: &[&str]) -> Child {
        let mut command = Command::new(self.path);
        spawn(command.args(arguments).env("XDG_STATE_HOME", state))
    }

    /// Starts it as a UCI engine.
    pub fn uci(&self) -> UciEngine {
        UciEngine::new(self.spawn(&[]))
    }

    /// The output of a UCI session whose whole input is written at once.
    pub fn uci_session(&self, input: &str) -> Vec<String> {
        let mut engine = self.uci();
        engine.send_bytes(input.as_bytes());
        let (lines, status) = engine.close();
        assert!(status.success(), "{status} after {lines:?}");
        lines
    }
}

impl Finished {
    /// Standard output of a run that must have succeeded and left standard error empty.
    pub fn success(self) -> String {
        assert_eq!(
            (self.stderr.as_str(), self.code),
            ("", Some(0)),
            "{}",
            self.stdout
        );
        self.stdout
    }

    /// Standard output as JSON Lines, without the version that each must state.
    pub fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(unversioned).collect()
    }
}

fn unversioned(line: &str) -> Value {
    let mut value: Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let version = value
        .as_object_mut()
        .and_then(|keys| keys.remove("version"));
    assert_eq!(version, Some(1.into()), "{line}");
    value
}

fn spawn(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cannot start the program")
}

fn finish(mut child: Child, input: impl AsRef<[u8]>) -> Finished {
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.as_ref().to_vec();
    // The program may exit without reading everything.
    let writer = thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child
        .wait_with_output()
        .expect("cannot wait for the program");
    writer.join().expect("the writing thread does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Finished {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        code: output.status.code(),
    }
}
