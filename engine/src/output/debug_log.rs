//! The debug log: a file that records input and output with times.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow, bail};
use common::NAME;

/// Input or output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// The first bytes of every log; name and version follow.
const SIGNATURE: &str = "# ";

/// True if a file starts as a log of any version does.
fn is_log(path: &Path) -> io::Result<bool> {
    let name = NAME.split(' ').next().unwrap_or(NAME);
    let expected = format!("{SIGNATURE}{name} ");
    let mut start = Vec::new();
    let longest = expected.len() as u64;
    File::open(path)?.take(longest).read_to_end(&mut start)?;
    Ok(start == expected.as_bytes())
}

#[derive(Debug)]
pub(crate) struct DebugLog {
    path: PathBuf,
    file: File,
    opened: Instant,
}

impl DebugLog {
    /// Opens a log; appends to an existing one, but to no other file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = path.display();
        let cannot_open = |error| anyhow!("cannot open the debug log '{name}': {error}");
        let exists = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
        if exists && !is_log(path).map_err(cannot_open)? {
            bail!(
                "'{name}' exists and is not a debug log of Castellan; it is unchanged, and nothing \
                 is logged there"
            );
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // A named pipe without a reader is an error: the session must not wait for one.
        #[cfg(unix)]
        options.custom_flags(libc::O_NONBLOCK);
        let file = options.open(path).map_err(cannot_open)?;
        let mut log = Self {
            path: path.to_owned(),
            file,
            opened: Instant::now(),
        };
        let since_epoch = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let header = format!(
            "{SIGNATURE}{NAME}; opened {:.3} s after 1970-01-01 UTC, times below are seconds since then\n",
            since_epoch.as_secs_f64()
        );
        log.write(&header)?;
        Ok(log)
    }

    /// Appends lines with the time. Unbuffered, since logs are read after crashes.
    pub(crate) fn record(&mut self, direction: Direction, text: &str) -> Result<()> {
        let seconds = self.opened.elapsed().as_secs_f64();
        let arrow = match direction {
            Direction::In => ">>",
            Direction::Out => "<<",
        };
        let lines: String = text
            .lines()
            .map(|line| format!("{seconds:10.3} {arrow} {line}\n"))
            .collect();
        self.write(&lines)
    }

    fn write(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).map_err(|error| {
            let name = self.path.display();
            anyhow!("cannot write the debug log '{name}': {error}; closing it")
        })
    }
}
