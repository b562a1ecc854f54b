//! How far the work is, for whoever watches a terminal.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, stderr, stdout};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

/// For so many positions, or the lines of a file, or no one knows how many. Hidden when nobody
/// watches, or when the answers themselves are being watched.
pub(crate) fn bar(positions: &[String], file: Option<&Path>, answers_kept: bool) -> ProgressBar {
    let watched = stderr().is_terminal() && (answers_kept || !stdout().is_terminal());
    if !watched {
        return ProgressBar::hidden();
    }
    let total = match file {
        Some(path) => lines(path).ok(),
        None if positions.is_empty() => None,
        None => u64::try_from(positions.len()).ok(),
    };
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:24} line {pos} of {len}, {per_sec}, {eta} to go",
        ),
        None => (ProgressBar::no_length(), "{spinner} line {pos}, {per_sec}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Of a file that can be read twice.
fn lines(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::NotSeekable.into());
    }
    let mut piece = vec![0; 1 << 16];
    let mut lines = 0;
    loop {
        let length = file.read(&mut piece)?;
        if length == 0 {
            return Ok(lines);
        }
        let ends = piece.iter().take(length).filter(|byte| **byte == b'\n');
        lines += u64::try_from(ends.count()).unwrap_or_default();
    }
}

/// How much of some files has been read.
pub(crate) fn bytes(paths: &[PathBuf]) -> ProgressBar {
    let sizes = paths.iter().filter_map(|path| fs::metadata(path).ok());
    let bar = ProgressBar::new(sizes.map(|found| found.len()).sum());
    let template = "{bar:24} {bytes} of {total_bytes}, {eta} to go";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
