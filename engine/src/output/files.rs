//! Files that are there whole or not at all.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Under the name there is always a whole file: the old one or the new.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = OsString::from(path);
    name.push(".new");
    let new = PathBuf::from(name);
    fill(File::create(&new)?, bytes)?;
    fs::rename(&new, path)
}

/// A file that was not there before; whatever else has the name stays.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = File::create_new(path)?;
    fill(file, bytes).inspect_err(|_| {
        // Half a file helps nobody; if it cannot go, the error has been told all the same.
        let _ = fs::remove_file(path);
    })
}

/// Why a file was not written. What was there is there.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    #[error("'{}' is there already and stays as it is; give another name", path.display())]
    Exists { path: PathBuf },
    #[error("cannot write '{}': {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Files made in one sitting, which may be written again; others may not.
#[derive(Debug, Default)]
pub(crate) struct OwnFiles(HashSet<PathBuf>);

impl OwnFiles {
    pub(crate) fn write(&mut self, path: &Path, text: &str) -> Result<(), WriteError> {
        let written = match self.0.contains(path) {
            true => replace(path, text.as_bytes()),
            false => create(path, text.as_bytes()),
        };
        let path = path.to_path_buf();
        match written {
            Ok(()) => {
                self.0.insert(path);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(WriteError::Exists { path })
            }
            Err(source) => Err(WriteError::Write { path, source }),
        }
    }
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// The same file, if under another name; one that is not there is no other's.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
