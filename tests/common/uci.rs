//! A UCI engine on pipes. A missing line fails a test only after a timeout that is long enough for
//! slow machines; nothing else depends on time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The wait after which a missing line fails the test.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Enough round trips for output that must not be printed to appear.
const QUIET_ROUND_TRIPS: usize = 50;

/// An engine that is quit when dropped, or killed if the test fails.
#[derive(Debug)]
pub struct UciEngine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl UciEngine {
    pub(crate) fn new(mut child: Child) -> Self {
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
        Self {
            child,
            input,
            output,
        }
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Writes one line or several in a single write.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine reads its input");
    }

    pub fn read_line(&mut self) -> String {
        match self.output.recv_timeout(TIMEOUT) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("no output from the engine"),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                panic!("the engine has exited: {status:?}, {}", self.stderr())
            }
        }
    }

    /// The rest of standard error, after the exit.
    fn stderr(&mut self) -> String {
        let mut text = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            let _ = stderr.read_to_string(&mut text);
        }
        text
    }

    /// The lines up to and including the first that starts with `prefix`.
    pub fn read_until(&mut self, prefix: &str) -> Vec<String> {
        self.read_while(|line| !line.starts_with(prefix))
    }

    /// The lines up to and including the first that ends with `suffix`.
    pub fn read_until_suffix(&mut self, suffix: &str) -> Vec<String> {
        self.read_while(|line| !line.ends_with(suffix))
    }

    fn read_while(&mut self, continues: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.read_line());
            if !lines.last().is_some_and(|line| continues(line)) {
                return lines;
            }
        }
    }

    /// Sends `text` and `isready`; the output before `readyok`.
    pub fn query(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("{text}\nisready"));
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    /// Sends a line that must print nothing.
    pub fn send_silent(&mut self, text: &str) {
        let output = self.query(text);
        assert!(output.is_empty(), "{text}: {output:?}");
    }

    pub fn set_option(&mut self, name: &str, value: impl std::fmt::Display) {
        self.send_silent(&format!("setoption name {name} value {value}"));
    }

    pub fn set_fen(&mut self, fen: impl std::fmt::Display) {
        self.send_silent(&format!("position fen {fen}"));
    }

    /// Sends a line that must be answered with one error, and returns that.
    pub fn query_error(&mut self, text: &str) -> String {
        let output = self.query(text);
        let [line] = output.as_slice() else {
            panic!("{text:?} printed {output:?}");
        };
        assert!(line.starts_with("info string error: "), "{text:?}: {line}");
        line.clone()
    }

    /// Runs a search: the output up to and including `bestmove`.
    pub fn go(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.read_until("bestmove")
    }

    /// Ends a search of which `output` has been read: all its output.
    pub fn finish(&mut self, mut output: Vec<String>, text: &str) -> Vec<String> {
        self.send(text);
        output.extend(self.read_until("bestmove"));
        output
    }

    /// Output that is printed without a command during many round trips.
    pub fn unsolicited(&mut self) -> Vec<String> {
        (0..QUIET_ROUND_TRIPS)
            .flat_map(|_| self.query(""))
            .collect()
    }

    /// Checks that nothing is printed without a command.
    pub fn assert_quiet(&mut self) {
        assert_eq!(self.unsolicited(), [""; 0]);
    }

    /// A named line of the answer to `d`.
    pub fn display(&mut self, name: &str) -> String {
        let lines = self.query("d");
        let found = lines
            .iter()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        found
            .unwrap_or_else(|| panic!("no {name} in {lines:?}"))
            .to_owned()
    }

    /// Closes the input and waits for the exit: the rest of the output, and the status.
    pub fn close(mut self) -> (Vec<String>, ExitStatus) {
        self.wait()
    }

    fn wait(&mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(TIMEOUT) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no exit; the output was {lines:?}"),
            }
        }
        let status = self.child.wait().expect("cannot wait for the engine");
        assert_eq!(self.stderr(), "");
        (lines, status)
    }
}

/// Every session that has not been closed ends with `quit`, and must exit with success.
impl Drop for UciEngine {
    fn drop(&mut self) {
        if self.input.is_some() && !thread::panicking() {
            self.send("quit");
            let (_, status) = self.wait();
            assert!(status.success(), "{status}");
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
