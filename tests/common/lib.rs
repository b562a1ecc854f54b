//! Shared test helpers: drivers of the program under test, temporary directories, a seeded
//! generator of random numbers, and positions that many tests use.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod games;
pub mod positions;
mod program;
mod rng;
mod temp_dir;
#[cfg(unix)]
mod terminal;
mod uci;

use std::path::{Path, PathBuf};
use std::{env, fs};

pub use games::{game, game_after, legal_move};
pub use program::{Finished, Program};
pub use rng::Rng;
pub use temp_dir::TempDir;
#[cfg(unix)]
pub use terminal::TerminalSession;
pub use uci::UciEngine;

/// The rows of a table, one per line, with `|` between columns; lines that begin with `#` are comments,
/// and blank ones are skipped.
pub fn table<const COLUMNS: usize>(text: &str) -> Vec<[&str; COLUMNS]> {
    let lines = text.lines().map(str::trim);
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows = rows.map(|line| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        columns.try_into().unwrap_or_else(|_| panic!("{line}"))
    });
    rows.collect()
}

/// The path of a file of this repository, which Cargo names when it starts the tests: clones that
/// share a target directory share the test programs.
pub fn repository_path(path: &str) -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").expect("tests that Cargo starts");
    Path::new(&package)
        .ancestors()
        .find(|folder| folder.join("tests/data").is_dir())
        .expect("a package in the repository")
        .join(path)
}

/// The text of a file of this repository.
pub fn repository_file(path: &str) -> String {
    fs::read_to_string(repository_path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The resident memory of a process in MiB.
#[cfg(target_os = "linux")]
pub fn resident_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|text| text.trim().strip_suffix(" kB"));
    let kilobytes: Option<u64> = number.and_then(|text| text.parse().ok());
    kilobytes.expect("a size") / 1024
}
