//! Writing files so that a name always refers to a complete file.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file was not read or written.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("cannot read '{}': {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("'{}' already exists; not overwritten", path.display())]
    Exists { path: PathBuf },
}

impl FileError {
    pub fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Read {
            path: path.to_path_buf(),
            source,
        }
    }

    /// For a file that must not exist yet.
    pub fn create(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| match source.kind() {
            ErrorKind::AlreadyExists => Self::Exists {
                path: path.to_path_buf(),
            },
            _ => Self::write(path)(source),
        }
    }

    pub fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Write {
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Writes a file, replacing any old one atomically.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut new = OsString::from(path);
    new.push(".new");
    File::create(&new)
        .and_then(|file| fill(file, bytes))
        .and_then(|()| fs::rename(&new, path))
        .map_err(FileError::write(path))
}

/// Writes a new file; an existing one is left alone.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let file = File::create_new(path).map_err(FileError::create(path))?;
    fill(file, bytes).map_err(|error| {
        // Half a file is of no use; if it cannot be removed, the error is reported all the same.
        let _ = fs::remove_file(path);
        FileError::write(path)(error)
    })
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// The files written by one run of the program: it may overwrite these, and no others.
#[derive(Debug, Default)]
pub struct OwnFiles(HashSet<PathBuf>);

impl OwnFiles {
    pub fn write(&mut self, path: &Path, text: &str) -> Result<(), FileError> {
        if self.0.contains(path) {
            return replace(path, text.as_bytes());
        }
        create(path, text.as_bytes())?;
        self.0.insert(path.to_path_buf());
        Ok(())
    }
}

/// Whether two names refer to the same existing file.
#[must_use]
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
