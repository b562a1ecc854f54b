//! The real binary on two pipes, with patience: what it must say is waited for as long as any
//! machine could need, and nothing here measures time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any answer takes on a slow machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a late line would need to arrive, where none may come.
const QUIET: Duration = Duration::from_millis(50);

const LOOK_EVERY: Duration = Duration::from_millis(2);

pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        let mut child = spawn(&[]);
        let input = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine {
            child,
            input,
            output,
        }
    }

    /// Writes lines in one go.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine reads");
    }

    /// The next line.
    pub(crate) fn line(&mut self) -> String {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                panic!("the engine has gone: {status:?}, {}", self.complaint())
            }
        }
    }

    /// What it said on standard error, once it has gone.
    fn complaint(&mut self) -> String {
        let mut text = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            let _ = stderr.read_to_string(&mut text);
        }
        text
    }

    /// All lines up to and with the first that begins like this.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        self.up_to(|line| line.starts_with(start))
    }

    /// All lines up to and with the first that ends like this.
    pub(crate) fn until_end(&mut self, end: &str) -> Vec<String> {
        self.up_to(|line| line.ends_with(end))
    }

    fn up_to(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = is_last(&line);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Asks, and returns everything said before the engine is ready again.
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("{text}\nisready"));
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends what must pass without a word.
    pub(crate) fn tell(&mut self, text: &str) {
        let said = self.ask(text);
        assert!(said.is_empty(), "{text}: {said:?}");
    }

    /// Sends what must be refused, and returns the one line that says so.
    pub(crate) fn refused(&mut self, text: &str) -> String {
        let said = self.ask(text);
        let [line] = said.as_slice() else {
            panic!("{text:?} was answered {said:?}");
        };
        assert!(line.starts_with("info string error: "), "{text:?}: {line}");
        line.clone()
    }

    /// A search from `go` to its `bestmove`, all lines.
    pub(crate) fn go(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    /// The rest of a search that has said something already: all lines of it.
    pub(crate) fn end(&mut self, mut said: Vec<String>, text: &str) -> Vec<String> {
        self.send(text);
        said.extend(self.until("bestmove"));
        said
    }

    /// What it says in a moment in which nothing was asked of it.
    pub(crate) fn overheard(&mut self) -> Vec<String> {
        thread::sleep(QUIET);
        self.ask("")
    }

    /// A named line of `d`.
    pub(crate) fn shown(&mut self, name: &str) -> String {
        let lines = self.ask("d");
        let found = lines
            .iter()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        found
            .unwrap_or_else(|| panic!("no {name} in {lines:?}"))
            .to_owned()
    }

    /// Closes the input, and returns the rest of what it said and how it left.
    pub(crate) fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not leave; said {lines:?}"),
            }
        }
        let status = wait(&mut self.child);
        let complaint = self.complaint();
        assert!(complaint.is_empty(), "{complaint}");
        (lines, status)
    }

    pub(crate) fn quit(mut self) {
        self.send("quit");
        let (_, status) = self.close();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A whole session in one piece of input: what was said. It must have left well.
pub(crate) fn piped(input: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_bytes(input.as_bytes());
    let (lines, status) = engine.close();
    assert!(status.success(), "{status} after {lines:?}");
    lines
}

/// The program from the shell: standard output, standard error, exit code.
pub(crate) fn shell(arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut child = spawn(arguments);
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("it runs");
    (
        String::from_utf8(output.stdout).expect("text"),
        String::from_utf8(output.stderr).expect("text"),
        output.status.code(),
    )
}

/// An engine whose output only the caller reads, and may stop reading.
pub(crate) fn with_loose_output() -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = spawn(&[]);
    let input = child.stdin.take().expect("standard input is a pipe");
    let output = child.stdout.take().expect("standard output is a pipe");
    (child, input, BufReader::new(output))
}

/// Waits for a program that should be leaving.
pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it was started") {
            return status;
        }
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the engine does not leave");
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_castellan"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts")
}
