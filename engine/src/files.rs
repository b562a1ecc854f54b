//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
