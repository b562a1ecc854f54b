//! The input of commands: files of positions and of games; the name `-` is standard input.

pub(crate) mod games;
pub(crate) mod positions;

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::output::warn;

pub(crate) const STDIN: &str = "-";

#[derive(Debug, Error)]
#[error("cannot read {}: {source}", quoted(path))]
pub(crate) struct ReadError {
    path: PathBuf,
    source: io::Error,
}

impl ReadError {
    pub(crate) fn of(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { path, source }
    }
}

/// The name of a file as messages have it.
pub(crate) fn quoted(path: &Path) -> String {
    if is_stdin(path) {
        "standard input".to_owned()
    } else {
        format!("'{}'", path.display())
    }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Fails if there is no such file, or if it is a directory. Does not open it: what is written to
/// a named pipe can be read only once.
pub(crate) fn check(path: &Path) -> Result<(), ReadError> {
    let found = if is_stdin(path) {
        return Ok(());
    } else {
        path.metadata()
    };
    if found.map_err(ReadError::of(path))?.is_dir() {
        Err(ReadError::of(path)(ErrorKind::IsADirectory.into()))
    } else {
        Ok(())
    }
}

/// Opens a file. If it is standard input and that is a terminal, standard error says what is
/// expected, such as "positions, one per line".
pub(crate) fn open(path: &Path, expected: &str) -> Result<Box<dyn Read + Send>, ReadError> {
    if is_stdin(path) {
        if stdin().is_terminal() {
            warn(format_args!(
                "reading {expected} from the terminal; {END_OF_INPUT} ends the input"
            ));
        }
        return Ok(Box::new(stdin()));
    }
    check(path)?;
    let file = File::open(path).map_err(ReadError::of(path))?;
    Ok(Box::new(file))
}

#[cfg(windows)]
const END_OF_INPUT: &str = "Ctrl-Z and Enter";
#[cfg(not(windows))]
const END_OF_INPUT: &str = "Ctrl-D";
