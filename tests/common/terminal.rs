//! Runs of the program on a pseudo-terminal, as in a terminal window.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use nix::fcntl::OFlag;
use nix::pty::{grantpt, posix_openpt, ptsname_r, unlockpt};

use crate::Program;

/// The wait after which missing output fails the test.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What is typed to end the input.
const CTRL_D: &str = "\u{4}";

/// A program whose input, output and errors are one terminal. Killed when dropped.
#[derive(Debug)]
pub struct TerminalSession {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Everything printed that no call has returned yet, with the echo of what was typed.
    text: String,
}

impl Program {
    pub fn spawn_on_terminal(&self, arguments: &[&str]) -> TerminalSession {
        let mut command = Command::new(self.path());
        command.args(arguments);
        TerminalSession::new(command)
    }
}

impl TerminalSession {
    pub fn new(mut command: Command) -> TerminalSession {
        // Other programs that the tests start must not inherit it.
        let flags = OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let master = posix_openpt(flags).expect("a pseudo-terminal");
        grantpt(&master).expect("a pseudo-terminal");
        unlockpt(&master).expect("a pseudo-terminal");
        let name = ptsname_r(&master).expect("the name of the terminal");
        let stream = || {
            let open = File::options().read(true).write(true).open(&name);
            Stdio::from(open.expect("a terminal"))
        };
        let child = command
            .stdin(stream())
            .stdout(stream())
            .stderr(stream())
            .spawn()
            .expect("cannot start the program");
        let keyboard = master.as_fd().try_clone_to_owned();
        let keyboard = File::from(keyboard.expect("a descriptor"));
        let mut output = keyboard.try_clone().expect("a descriptor");
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Reading fails when the program has exited.
            loop {
                match output.read(&mut buffer) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(length @ 1..) if sender.send(buffer[..length].to_vec()).is_ok() => {}
                    _ => return,
                }
            }
        });
        TerminalSession {
            child,
            keyboard,
            screen,
            text: String::new(),
        }
    }

    /// Types text; a line ends with `\n`.
    pub fn send(&mut self, text: &str) {
        self.keyboard
            .write_all(text.as_bytes())
            .expect("a terminal");
    }

    /// The output up to and including `text`.
    pub fn read_until(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.text.find(text) {
                let rest = self.text.split_off(at + text.len());
                return std::mem::replace(&mut self.text, rest);
            }
            match self.screen.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("no '{text}' in {:?}", self.text),
            }
        }
    }

    /// Types Ctrl-D and waits for the exit: the rest of the output, and the exit status.
    pub fn close(mut self) -> (String, Option<i32>) {
        self.send(CTRL_D);
        loop {
            match self.screen.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no exit after {:?}", self.text),
            }
        }
        let status = self.child.wait().expect("an exit status");
        (std::mem::take(&mut self.text), status.code())
    }
}

impl Drop for TerminalSession {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
