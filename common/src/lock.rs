//! Locks against other processes.
//!
//! An output that is replaced when it is complete cannot be locked itself: `OutputLock` locks a
//! file next to it.

use std::error::Error;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::iter;
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::files::{self, FileError};

/// Locks a file, where the file system supports it, until it is closed. `path` is for the error.
pub fn try_lock(file: &File, path: &Path) -> Result<(), FileError> {
    match file.try_lock() {
        Err(source @ TryLockError::WouldBlock) => Err(FileError::InUse {
            path: path.to_path_buf(),
            source,
        }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// True if the reason for an error is that another process has locked a file.
pub fn is_in_use(error: &(dyn Error + 'static)) -> bool {
    iter::successors(Some(error), |&error| error.source()).any(|error| {
        let lock = error.downcast_ref();
        matches!(lock, Some(TryLockError::WouldBlock))
    })
}

/// Keeps other processes from writing the same output, while it exists.
///
/// The lock is that of an empty file next to the output, `FILE.castellan-lock`, which is deleted at
/// the end. A process that is killed leaves it behind, unlocked.
#[derive(Debug)]
pub struct OutputLock {
    path: PathBuf,
    /// `None` once it is closed.
    file: Option<File>,
}

impl OutputLock {
    /// Locks an output, which need not exist. What is not a regular file is an error.
    pub fn acquire(output: &Path) -> Result<Self, FileError> {
        if let Ok(found) = fs::metadata(output) {
            files::check(output, &found)?;
        }
        let path = lock_path(output).map_err(FileError::write(output))?;
        loop {
            let file = open(&path)?;
            if let Err(refused) = try_lock(&file, output) {
                // On Windows its owner cannot delete it while it is open here, and nobody while it
                // is open there.
                if cfg!(windows) {
                    drop(file);
                    let _ = fs::remove_file(&path);
                }
                return Err(refused);
            }
            if is_at(&file, &path).map_err(FileError::write(&path))? {
                let file = Some(file);
                return Ok(Self { path, file });
            }
        }
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // Windows does not delete a file that a process holds open. Elsewhere one that is closed
        // first may be another process's by the time it is deleted.
        if cfg!(windows) {
            self.file = None;
        }
        // A file that is left behind does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// The path of the lock, which all names of an output share.
fn lock_path(output: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(output).or_else(|error| {
        let name = output.file_name().ok_or(error)?;
        let folder = match output.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Ok::<_, io::Error>(fs::canonicalize(folder)?.join(name))
    })?;
    let mut path = OsString::from(real);
    path.push(".castellan-lock");
    Ok(path.into())
}

fn open(path: &Path) -> Result<File, FileError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;

        const READ_AND_WRITE_BUT_NOT_DELETE: u32 = 1 | 2;
        options.share_mode(READ_AND_WRITE_BUT_NOT_DELETE);
    }
    files::open_beside(&mut options, path)
}

/// True if the file is still there: another process may have deleted it after it was opened. On
/// Windows nobody deletes it while it is open.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    if cfg!(not(unix)) {
        return Ok(true);
    }
    let opened = Handle::from_file(file.try_clone()?)?;
    match Handle::from_path(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        there => Ok(there? == opened),
    }
}

#[cfg(test)]
mod tests {
    use super::{OutputLock, is_in_use};
    use crate::files::FileError;
    use std::fs;
    use std::path::Path;
    use test_common::TempDir;

    #[test]
    fn an_output_has_one_lock_under_all_its_names() {
        let folder = TempDir::new("lock");
        let output = folder.directory().join("out");
        let other_name = folder.directory().join(".").join("out");
        for exists in [false, true] {
            if exists {
                fs::write(&output, "kept").expect("written");
            }
            let lock = OutputLock::acquire(&output).expect("not in use");
            let refused = OutputLock::acquire(&other_name).expect_err("in use");
            assert!(is_in_use(&refused), "{refused}");
            assert!(refused.to_string().contains("out"), "{refused}");
            drop(OutputLock::acquire(&folder.directory().join("other")).expect("another file"));
            drop(lock);
            drop(OutputLock::acquire(&other_name).expect("free again"));
        }
        assert_eq!(folder.names(), ["out"]);
    }

    #[test]
    fn what_cannot_be_an_output_is_refused() {
        let folder = TempDir::new("lock");
        let refused = OutputLock::acquire(folder.directory());
        assert!(matches!(refused, Err(FileError::NotAFile { .. })));
        let missing = OutputLock::acquire(&folder.directory().join("none").join("out"))
            .expect_err("there is no such folder");
        assert!(matches!(missing, FileError::Write { .. }), "{missing}");
        assert!(!is_in_use(&missing));
        assert!(OutputLock::acquire(Path::new("")).is_err());
        assert!(folder.names().is_empty());
    }

    /// Left behind by a process that was killed.
    #[test]
    fn an_unlocked_file_is_no_obstacle() {
        let folder = TempDir::new("lock");
        let output = folder.directory().join("out");
        folder.write("out.castellan-lock", "");
        drop(OutputLock::acquire(&output).expect("not in use"));
        assert!(folder.names().is_empty());
    }
}
