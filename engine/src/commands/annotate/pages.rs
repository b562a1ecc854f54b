//! The folder of `--html`: a page for each game.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use common::files::{self, FileError};
use common::lock::OutputLock;

use crate::CommandError;
use crate::commands::checkpoint::refuse_existing;

/// The pages of a run.
#[derive(Debug)]
pub(super) struct Pages {
    folder: PathBuf,
    _lock: OutputLock,
}

impl Pages {
    /// Creates and locks the folder, in which an interrupted run has written the pages of these
    /// games. Pages of other runs are overwritten only if that is allowed.
    pub(super) fn open(
        folder: &Path,
        may_overwrite: bool,
        annotated: &[u64],
    ) -> Result<Pages, CommandError> {
        fs::create_dir_all(folder).map_err(FileError::write(folder))?;
        let lock = OutputLock::acquire(&folder.join("pages"))?;
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
        let mut paths = annotated.iter().map(|&game| folder.join(page_name(game)));
        if let Some(path) = paths.find(|path| !path.exists()) {
            let path = path.display();
            return Err(format!(
                "'{path}', written by the interrupted run, is missing; use --force to start over"
            )
            .into());
        }
        Ok(Pages {
            folder: folder.to_owned(),
            _lock: lock,
        })
    }

    /// Writes the page of a game.
    pub(super) fn add(&self, game: u64, page: &str) -> Result<(), FileError> {
        files::replace(&self.folder.join(page_name(game)), page.as_bytes())
    }
}

fn page_name(number: u64) -> String {
    format!("game-{number:04}.html")
}

/// True if a file may be a page of an earlier run.
fn is_ours(name: &str) -> bool {
    let number = name
        .strip_prefix("game-")
        .and_then(|rest| rest.strip_suffix(".html"));
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}
