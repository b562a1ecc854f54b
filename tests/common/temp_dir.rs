//! Temporary directories.

use std::fs;
use std::path::Path;

/// A directory of its own for a test that needs files, deleted when dropped. Its name has blanks,
/// as users' directories have.
#[derive(Debug)]
pub struct TempDir(tempfile::TempDir);

impl TempDir {
    pub fn new(name: &str) -> Self {
        let prefix = format!("castellan test {name} ");
        let directory = tempfile::Builder::new().prefix(&prefix).tempdir();
        Self(directory.expect("cannot create a temporary directory"))
    }

    pub fn directory(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, existing or not; with an empty name, of the directory.
    pub fn path(&self, name: &str) -> String {
        let path = self.directory().join(name);
        path.to_str()
            .expect("the temporary directory's path is not UTF-8")
            .to_owned()
    }

    /// The names of the entries, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.directory()).expect("the temporary directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.display().to_string()).collect();
        names.sort();
        names
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).expect("cannot write a temporary file");
        path
    }
}
