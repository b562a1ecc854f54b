//! Progress bars on standard error.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, stderr, stdout};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

/// True if bars are shown: standard error is a terminal to which no results go.
pub(crate) fn is_visible(results_elsewhere: bool) -> bool {
    stderr().is_terminal() && (results_elsewhere || !stdout().is_terminal())
}

/// A bar for lines of input, whose number is `None` for a stream. Hidden unless `is_visible`.
pub(crate) fn lines(total: impl FnOnce() -> Option<u64>, results_elsewhere: bool) -> ProgressBar {
    if !is_visible(results_elsewhere) {
        return ProgressBar::hidden();
    }
    match total() {
        Some(total) => styled(
            ProgressBar::new(total),
            "{bar:24} line {pos} of {len}, {eta} left",
        ),
        None => styled(ProgressBar::no_length(), "{spinner} line {pos}, {elapsed}"),
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Counts the lines of a file; fails for pipes, which can be read only once.
pub(crate) fn count_lines(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::NotSeekable.into());
    }
    let mut buffer = vec![0; 1 << 16];
    let mut lines = 0;
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(lines);
        }
        let ends = buffer.iter().take(length).filter(|byte| **byte == b'\n');
        lines += u64::try_from(ends.count()).unwrap_or_default();
    }
}

/// A bar for positions that may take long each.
pub(crate) fn positions(total: Option<u64>) -> ProgressBar {
    let bar = match total {
        Some(total) => styled(
            ProgressBar::new(total),
            "{bar:24} {pos}/{len} positions, {eta} left",
        ),
        None => styled(
            ProgressBar::no_length(),
            "{spinner} {pos} positions, {elapsed}",
        ),
    };
    bar.tick();
    bar
}

/// A bar for the bytes read of some files.
pub(crate) fn bytes(paths: &[PathBuf]) -> ProgressBar {
    let sizes = paths.iter().filter_map(|path| fs::metadata(path).ok());
    let bar = ProgressBar::new(sizes.map(|found| found.len()).sum());
    styled(bar, "{bar:24} {bytes} of {total_bytes}, {eta} left")
}
