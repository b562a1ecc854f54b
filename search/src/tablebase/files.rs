//! How the files of tables are read: by system calls, never through mapped memory, where a disk
//! that is pulled out would end the program. The beginning of each file is kept, since every
//! look-up reads its small parts many times over.

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use std::io;
use std::path::{Path, PathBuf};

/// The tables of three and four men are hardly larger, and of larger ones it is what is read
/// most. With it a look-up takes a twentieth of the time (2 µs in place of 32).
const KEPT_BYTES: usize = 1 << 17;

#[derive(Debug, Default)]
pub(super) struct Files(OsFilesystem);

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let file = self.0.open(path)?;
        let beginning = beginning(&*file)?;
        Ok(Box::new(TableFile { beginning, file }))
    }
}

fn beginning(file: &dyn RandomAccessFile) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; KEPT_BYTES];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], filled as u64, ReadHint::Header) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    bytes.shrink_to_fit();
    Ok(bytes)
}

struct TableFile {
    beginning: Vec<u8>,
    file: Box<dyn RandomAccessFile>,
}

impl RandomAccessFile for TableFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        let kept = usize::try_from(offset)
            .ok()
            .and_then(|start| self.beginning.get(start..start.checked_add(buffer.len())?));
        match kept {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                Ok(buffer.len())
            }
            None => self.file.read_at(buffer, offset, hint),
        }
    }
}
