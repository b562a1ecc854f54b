//! Finding the table files and reading them.
//!
//! They are read by system calls, never through mapped memory, where an unplugged disk
//! would crash the program. The beginning of each file is cached, because every probe reads its
//! small parts many times.

#[cfg(target_family = "wasm")]
use super::no_files::OsFilesystem;
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
#[cfg(not(target_family = "wasm"))]
use shakmaty_syzygy::filesystem::OsFilesystem;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};
use thiserror::Error;

/// The reason something in the directories is not used. Everything else is.
#[derive(Debug, Error)]
pub enum TablebaseError {
    #[error("cannot read the tablebase directory '{}': {reason}; it is skipped", directory.display())]
    Directory {
        directory: PathBuf,
        reason: io::Error,
    },
    #[error(
        "cannot use {count} {} in the tablebase directory '{}', such as '{name}': {reason}",
        if *.count == 1 { "file" } else { "files" },
        directory.display()
    )]
    Files {
        directory: PathBuf,
        count: usize,
        name: String,
        reason: io::Error,
    },
    #[error("no tablebases in '{}'; expected files like KQvK.rtbw", .0.display())]
    Empty(PathBuf),
}

/// The number of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TablebaseCount {
    pub wdl: usize,
    pub dtz: usize,
    /// Pieces of the largest table.
    pub pieces: u32,
}

impl fmt::Display for TablebaseCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wdl, dtz, pieces } = self;
        if *pieces == 0 {
            return f.write_str("found no tablebases");
        }
        write!(
            f,
            "found {wdl} WDL and {dtz} DTZ tablebases with up to {pieces} pieces"
        )
    }
}

/// Adds the tables of a directory whose names are not known yet.
pub(super) fn add(
    tables: &mut Tablebase<Chess>,
    directory: &Path,
    known: &mut HashSet<OsString>,
    count: &mut TablebaseCount,
) -> Result<(), TablebaseError> {
    let unreadable = |reason| TablebaseError::Directory {
        directory: directory.to_owned(),
        reason,
    };
    let (mut found, mut rejected) = (0, 0);
    let mut first_rejected = None;
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        if known.contains(&name) {
            found += 1;
            continue;
        }
        match tables.add_file(entry.path()) {
            Ok(()) => {
                found += 1;
                if entry.path().extension().is_some_and(|kind| kind == "rtbw") {
                    count.wdl += 1;
                } else {
                    count.dtz += 1;
                }
                known.insert(name);
            }
            // Its name is not that of a table.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            Err(error) => {
                rejected += 1;
                first_rejected.get_or_insert((name, error));
            }
        }
    }
    count.pieces = u32::try_from(tables.max_pieces()).unwrap_or(0);
    match first_rejected {
        Some((name, reason)) => Err(TablebaseError::Files {
            directory: directory.to_owned(),
            count: rejected,
            name: name.to_string_lossy().into_owned(),
            reason,
        }),
        None if found == 0 => Err(TablebaseError::Empty(directory.to_owned())),
        None => Ok(()),
    }
}

/// Tables of three and four pieces are hardly larger than this; of larger ones it is the part read
/// most often. It makes a probe 15 times as fast (2 µs instead of 32).
const CACHED_BYTES: usize = 1 << 17;

/// The file system, with the beginning of each open file in memory.
#[derive(Debug, Default)]
pub(super) struct CachingFiles(OsFilesystem);

impl Filesystem for CachingFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let file = self.0.open(path)?;
        let beginning = beginning(&*file)?;
        Ok(Box::new(CachedFile { beginning, file }))
    }
}

fn beginning(file: &dyn RandomAccessFile) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; CACHED_BYTES];
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

struct CachedFile {
    beginning: Vec<u8>,
    file: Box<dyn RandomAccessFile>,
}

impl RandomAccessFile for CachedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        let cached = usize::try_from(offset)
            .ok()
            .and_then(|start| self.beginning.get(start..start.checked_add(buffer.len())?));
        match cached {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                Ok(buffer.len())
            }
            None => self.file.read_at(buffer, offset, hint),
        }
    }
}
