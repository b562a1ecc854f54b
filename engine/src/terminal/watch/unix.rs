//! Keys from a Unix terminal.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use nix::unistd::read;

/// Keys arrive one by one, without echo, and Ctrl-C is a key. Left when dropped.
pub(super) struct Keyboard {
    /// The mode of the terminal before.
    before: Termios,
}

impl Keyboard {
    /// `None` if the terminal has no such mode.
    pub(super) fn enter() -> Option<Keyboard> {
        let stdin = io::stdin();
        let before = tcgetattr(&stdin).ok()?;
        let mut mode = before.clone();
        mode.local_flags
            .remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
        tcsetattr(&stdin, SetArg::TCSANOW, &mode).ok()?;
        Some(Keyboard { before })
    }

    /// The keys pressed by now, as a terminal sends them; waits for the first one, but not for
    /// long. Fails if there can be no more.
    pub(super) fn read(&self) -> io::Result<String> {
        let stdin = io::stdin();
        let mut waiting = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        match poll(&mut waiting, PollTimeout::from(super::TICK)) {
            Ok(0) | Err(Errno::EINTR) => return Ok(String::new()),
            _ => {}
        }
        let mut bytes = [0; 256];
        let length = read(stdin.as_fd(), &mut bytes)?;
        match bytes.get(..length).unwrap_or_default() {
            [] => Err(ErrorKind::UnexpectedEof.into()),
            keys => Ok(String::from_utf8_lossy(keys).into_owned()),
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &self.before);
    }
}
