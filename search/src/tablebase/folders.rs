//! Finding the tables: which files of which folders are tables, and what is wrong with the rest.

use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};
use thiserror::Error;

/// Why something in the folders is not used. Everything else is.
#[derive(Debug, Error)]
pub enum TablebaseError {
    #[error("the tablebase folder '{}' cannot be read: {reason}; any others are used", folder.display())]
    Folder { folder: PathBuf, reason: io::Error },
    #[error(
        "in the tablebase folder '{}' {count} {} not used, such as '{name}': {reason}",
        folder.display(),
        if *.count == 1 { "file is" } else { "files are" }
    )]
    Files {
        folder: PathBuf,
        count: usize,
        name: String,
        reason: io::Error,
    },
    #[error("there are no tables in the tablebase folder '{}'; their names are like KQvK.rtbw", .0.display())]
    Empty(PathBuf),
}

/// How many tables there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Tables that know who wins.
    pub values: usize,
    /// Tables that know how far the next capture, pawn move or mate is.
    pub distances: usize,
    /// The men of the largest.
    pub men: u32,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            values,
            distances,
            men,
        } = self;
        write!(
            f,
            "{values} WDL and {distances} DTZ tablebases with up to {men} men"
        )
    }
}

/// Adds the tables of a folder that no folder before it had.
pub(super) fn add(
    tables: &mut Tablebase<Chess>,
    folder: &Path,
    known: &mut HashSet<OsString>,
    count: &mut Count,
) -> Result<(), TablebaseError> {
    let unreadable = |reason| TablebaseError::Folder {
        folder: folder.to_owned(),
        reason,
    };
    let (mut tables_here, mut refused) = (0, 0);
    let mut first_refused = None;
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        if known.contains(&name) {
            tables_here += 1;
            continue;
        }
        match tables.add_file(entry.path()) {
            Ok(()) => {
                tables_here += 1;
                if entry.path().extension().is_some_and(|kind| kind == "rtbw") {
                    count.values += 1;
                } else {
                    count.distances += 1;
                }
                known.insert(name);
            }
            // No table by its name.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            Err(error) => {
                refused += 1;
                first_refused.get_or_insert((name, error));
            }
        }
    }
    count.men = u32::try_from(tables.max_pieces()).unwrap_or(0);
    match first_refused {
        Some((name, reason)) => Err(TablebaseError::Files {
            folder: folder.to_owned(),
            count: refused,
            name: name.to_string_lossy().into_owned(),
            reason,
        }),
        None if tables_here == 0 => Err(TablebaseError::Empty(folder.to_owned())),
        None => Ok(()),
    }
}
