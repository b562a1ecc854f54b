//! A folder of its own for each test that needs files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Gone when it is dropped. There are blanks in its name, as in those of users.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{name} {} {number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
    }

    /// The path of a file, there or not; without a name, of the folder.
    pub(crate) fn at(&self, name: &str) -> String {
        let path = self.0.join(name);
        path.to_str().expect("a path that is text").to_owned()
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.at(name);
        fs::write(&path, bytes).expect("a file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
