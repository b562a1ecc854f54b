//! WebAssembly has no terminal.

use std::io;

pub(super) enum Keyboard {}

impl Keyboard {
    pub(super) fn enter() -> Option<Self> {
        None
    }

    pub(super) fn read(&self) -> io::Result<String> {
        match *self {}
    }
}
