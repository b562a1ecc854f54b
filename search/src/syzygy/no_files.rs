//! The file system for WebAssembly, which has no tablebases.

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub(super) struct OsFilesystem;

impl Filesystem for OsFilesystem {
    fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
        Err(ErrorKind::Unsupported.into())
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(ErrorKind::Unsupported.into())
    }

    fn open(&self, _: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Err(ErrorKind::Unsupported.into())
    }
}
