//! Progress bars on standard error.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read, stderr, stdout};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of a length, which is `None` for a stream, with words for a known and an unknown one. It is
/// hidden unless standard error is a terminal to which no results go.
pub(crate) fn bar(
    length: impl FnOnce() -> Option<u64>,
    results_elsewhere: bool,
    [known, unknown]: [&str; 2],
) -> ProgressBar {
    if !stderr().is_terminal() || stdout().is_terminal() && !results_elsewhere {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length() {
        Some(length) => (
            ProgressBar::new(length),
            format!("{{bar:24}} {known}, {{eta}} left"),
        ),
        None => (
            ProgressBar::no_length(),
            format!("{{spinner}} {unknown}, {{elapsed}}"),
        ),
    };
    let bar = match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    bar.tick();
    bar
}

/// The length of some files; `None` if one is a stream.
pub(crate) fn bytes(paths: &[PathBuf]) -> Option<u64> {
    let found = paths.iter().map(|path| fs::metadata(path).ok());
    let sizes = found.map(|found| Some(found.filter(Metadata::is_file)?.len()));
    sizes.sum::<Option<u64>>().filter(|_| !paths.is_empty())
}

/// Counts the lines of a file; fails for pipes, which can be read only once.
pub(crate) fn count_lines(path: &Path) -> io::Result<u64> {
    // A named pipe must not even be opened: its writer would lose what it writes.
    if !fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::NotSeekable.into());
    }
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let (mut lines, mut is_complete) = (0, true);
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(lines + u64::from(!is_complete));
        }
        is_complete = buffer.get(length - 1) == Some(&b'\n');
        let ends = buffer.iter().take(length).filter(|byte| **byte == b'\n');
        lines += u64::try_from(ends.count()).unwrap_or_default();
    }
}
