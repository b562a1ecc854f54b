//! Progress bars on standard error, hidden unless that is a terminal, and the failure of standard
//! output.

use anyhow::anyhow;
use common::files::FileError;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io;
use std::path::PathBuf;

/// A bar up to a length, or a counter without one.
pub(crate) fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let shape = if length.is_some() {
        "bar:32"
    } else {
        "spinner"
    };
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    match ProgressStyle::with_template(&format!("{{{shape}}} {template}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar over the bytes of files.
pub(crate) fn bytes_bar(files: &[PathBuf]) -> Result<ProgressBar, FileError> {
    let mut bytes = 0;
    for path in files {
        bytes += fs::metadata(path).map_err(FileError::read(path))?.len();
    }
    Ok(bar(Some(bytes), "{bytes} of {total_bytes}, {eta} left"))
}

/// A number of seconds as hours, minutes and seconds.
pub(crate) fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

pub(crate) fn output_error(error: &io::Error) -> anyhow::Error {
    anyhow!("cannot write to standard output: {error}")
}
