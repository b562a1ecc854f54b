//! Writing a file so that under its name there is always a whole one: the old or the new.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file could not be read or written.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    path: PathBuf,
    source: io::Error,
}

impl FileError {
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        move |source| Self {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Puts bytes under a name, instead of what was there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut name = OsString::from(path);
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(FileError::at(&new))?;
    fs::rename(&new, path).map_err(FileError::at(path))
}
