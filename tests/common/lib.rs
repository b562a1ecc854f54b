//! Shared test helpers: drivers of the program under test, temporary directories, a seeded
//! generator of random numbers, and positions that many tests use.

pub mod positions;
mod program;
mod rng;
mod temp_dir;
#[cfg(unix)]
mod terminal;
mod uci;

use std::fs;
use std::path::{Path, PathBuf};

pub use program::{Finished, Program};
pub use rng::Rng;
pub use temp_dir::TempDir;
#[cfg(unix)]
pub use terminal::TerminalSession;
pub use uci::UciEngine;

/// The path of a file of this repository.
pub fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The text of a file of this repository.
pub fn repository_file(path: &str) -> String {
    fs::read_to_string(repository_path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
