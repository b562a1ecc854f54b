//! Temporary directories.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// A directory of its own for a test that needs files, deleted when dropped. Its name has blanks,
/// as users' directories have.
#[derive(Debug)]
pub struct TempDir(PathBuf);

impl TempDir {
    pub fn new(name: &str) -> TempDir {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("castellan test {name} {} {count}", process::id());
        let directory = env::temp_dir().join(name);
        fs::create_dir_all(&directory).expect("cannot create a temporary directory");
        TempDir(directory)
    }

    pub fn directory(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it, existing or not; with an empty name, of the directory.
    pub fn path(&self, name: &str) -> String {
        let path = self.0.join(name);
        path.to_str()
            .expect("the temporary directory's path is not UTF-8")
            .to_owned()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).expect("cannot write a temporary file");
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
