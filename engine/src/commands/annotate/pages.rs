//! The folder of `--html`: a page for each game, and an index of them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use common::files::{self, FileError};
use common::lock::OutputLock;

use super::page::{self, IndexEntry};
use crate::CommandError;
use crate::commands::checkpoint::refuse_existing;

const INDEX: &str = "index.html";

/// The pages of a run.
#[derive(Debug)]
pub(super) struct Pages {
    folder: PathBuf,
    entries: Vec<IndexEntry>,
    _lock: OutputLock,
}

impl Pages {
    /// Creates and locks the folder, in which an interrupted run has written pages with these
    /// entries. Pages of other runs are overwritten only if that is allowed.
    pub(super) fn open(
        folder: &Path,
        may_overwrite: bool,
        entries: Vec<IndexEntry>,
    ) -> Result<Pages, CommandError> {
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
        let lock = OutputLock::acquire(&folder.join(INDEX))?;
        for file in fs::read_dir(folder).map_err(FileError::read(folder))? {
            let path = file.map_err(FileError::read(folder))?.path();
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if files::unfinished(name).is_some_and(is_ours) {
                // The process that wrote it has ended, as the folder is locked.
                fs::remove_file(&path).map_err(FileError::write(&path))?;
            } else if !may_overwrite && is_ours(name) {
                refuse_existing(&path)?;
            }
        }
        let mut paths = entries.iter().map(|entry| folder.join(&entry.page));
        if let Some(path) = paths.find(|path| !path.exists()) {
            let path = path.display();
            return Err(format!(
                "'{path}', written by the interrupted run, is missing; use --force to start over"
            )
            .into());
        }
        Ok(Pages {
            folder: folder.to_owned(),
            entries,
            _lock: lock,
        })
    }

    /// Writes the page of a game.
    pub(super) fn add(&mut self, page: &str, entry: IndexEntry) -> Result<(), CommandError> {
        files::replace(&self.folder.join(&entry.page), page.as_bytes())?;
        self.entries.push(entry);
        Ok(())
    }

    /// Writes the index, if there is more than one page.
    pub(super) fn finish(&self) -> Result<(), CommandError> {
        if self.entries.len() > 1 {
            let index = page::index(&self.entries)?;
            files::replace(&self.folder.join(INDEX), index.as_bytes())?;
        }
        Ok(())
    }
}

/// The name of the page of a game.
pub(super) fn page_name(number: u64) -> String {
    format!("game-{number:04}.html")
}

/// True if a file may be a page of an earlier run.
fn is_ours(name: &str) -> bool {
    let number = name
        .strip_prefix("game-")
        .and_then(|rest| rest.strip_suffix(".html"));
    name == INDEX || number.is_some_and(|number| number.parse::<u64>().is_ok())
}
