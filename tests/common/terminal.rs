//! The program in a pseudo-terminal, as a user sees it.

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use vt100::Parser;

use crate::Program;

/// The wait after which missing output fails the test.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Killed when dropped.
pub struct TerminalSession {
    child: Child,
    keyboard: Arc<Pty>,
    output: Receiver<Vec<u8>>,
    screen: Parser,
    /// Everything that was printed, with the control sequences and the echo of what was typed.
    log: String,
    /// The length of the part that `read_until` has returned.
    read: usize,
}

impl std::fmt::Debug for TerminalSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TerminalSession")
    }
}

impl Program {
    /// Starts it in a terminal.
    pub fn spawn_on_terminal(&self, arguments: &[&str]) -> TerminalSession {
        self.terminal(80, "", arguments, &[])
    }

    /// Starts it in a terminal with this number of columns, with its saved games in the directory
    /// `state` and with other environment variables.
    pub fn terminal(
        &self,
        columns: u16,
        state: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> TerminalSession {
        const ROWS: NonZero<u16> = NonZero::new(50).expect("not zero");
        let width = NonZero::new(columns).expect("a terminal has columns");
        let (pty, pts) = open().expect("a pseudo-terminal");
        pty.resize(Size::new(ROWS.get(), columns)).expect("a size");
        let command = Command::new(self.path())
            .args(arguments)
            .env("XDG_STATE_HOME", state)
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());
        let child = command.spawn(pts).expect("cannot start the program");
        let keyboard = Arc::new(pty);
        let (sender, output) = channel();
        let reading = Arc::clone(&keyboard);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the program has closed the terminal.
            while let Ok(length @ 1..) = (&*reading).read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        TerminalSession {
            child,
            keyboard,
            output,
            screen: Parser::new(ROWS, width, 1000),
            log: String::new(),
            read: 0,
        }
    }
}

impl TerminalSession {
    /// Presses keys.
    pub fn keys(&mut self, keys: &str) {
        (&*self.keyboard)
            .write_all(keys.as_bytes())
            .expect("the terminal is open");
    }

    /// The output not yet returned, up to and including `text`.
    pub fn read_until(&mut self, text: &str) -> String {
        self.wait_until(text, |session| session.log[session.read..].contains(text));
        let unread = &self.log[self.read..];
        let end = unread.find(text).map_or(0, |at| at + text.len());
        let found = unread[..end].to_owned();
        self.read += end;
        found
    }

    /// Types Ctrl-D and waits for the exit: the rest of the output, and the exit status.
    pub fn close(mut self) -> (String, Option<i32>) {
        self.keys("\u{4}");
        let status = self.wait();
        (self.log.split_off(self.read), status.code())
    }

    /// The text on the screen.
    pub fn screen(&self) -> String {
        self.screen.screen().contents()
    }

    /// The last line on the screen that is not empty.
    pub fn last_line(&self) -> String {
        let screen = self.screen();
        screen.lines().last().unwrap_or_default().to_owned()
    }

    /// Everything that was printed so far, with the control sequences.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(text, |session| session.screen().contains(text));
    }

    /// Waits for an empty prompt below everything else.
    pub fn wait_for_prompt(&mut self) {
        self.wait_until("a prompt", |session| {
            session.last_line().trim_end() == ">"
                && session.screen.screen().cursor_position().1 == 2
        });
    }

    /// Types a line at the prompt and waits for the next prompt.
    pub fn enter(&mut self, line: &str) {
        self.wait_for_prompt();
        self.keys(line);
        if !line.is_empty() {
            let echoed = format!("> {line}");
            self.wait_until(&echoed, |session| session.last_line() == echoed);
        }
        self.keys("\r");
        self.wait_for_prompt();
    }

    fn wait_until(&mut self, what: &str, condition: impl Fn(&Self) -> bool) {
        while !condition(self) {
            match self.output.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no {what} on\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the program ended without {what} on\n{}", self.screen())
                }
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.log.push_str(&String::from_utf8_lossy(bytes));
    }

    /// Waits for the exit; the screen then shows all output.
    pub fn wait(&mut self) -> ExitStatus {
        loop {
            match self.output.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => {
                    panic!("no exit; the screen is\n{}", self.screen())
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.child.wait().expect("cannot wait for the program")
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
