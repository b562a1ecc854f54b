//! Where annotated games go: standard output or a new file, and a folder of pages. Nothing that
//! is there already is written over.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use common::files::{self, FileError};
use thiserror::Error;

use super::judge::Judgement;
use super::notes::Report;
use super::page;
use crate::formats::pgn::Record;

/// Why games cannot be written.
#[derive(Debug, Error)]
pub(crate) enum OutputError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write the games: {0}")]
    Standard(io::Error),
    #[error("game {number} cannot be put on a page: {source}")]
    Page {
        number: u64,
        source: serde_json::Error,
    },
}

pub(super) struct Output {
    to: Box<dyn Write + Send>,
    path: Option<PathBuf>,
    pages: Option<PathBuf>,
    closed: bool,
}

impl Output {
    pub(super) fn open(path: Option<&Path>, pages: Option<&Path>) -> Result<Output, OutputError> {
        if let Some(folder) = pages {
            fs::create_dir_all(folder).map_err(FileError::write(folder))?;
        }
        let to: Box<dyn Write + Send> = match path {
            None => Box::new(stdout()),
            Some(path) => Box::new(File::create_new(path).map_err(FileError::create(path))?),
        };
        Ok(Output {
            to,
            path: path.map(Path::to_owned),
            pages: pages.map(Path::to_owned),
            closed: false,
        })
    }

    /// Whether the reader of standard output has gone.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Each game is out when this returns.
    pub(super) fn write(
        &mut self,
        number: u64,
        record: &Record,
        judged: &[Judgement],
        report: &Report,
    ) -> Result<ControlFlow<()>, OutputError> {
        if let Some(folder) = &self.pages {
            let text = page::page(record, judged, report)
                .map_err(|source| OutputError::Page { number, source })?;
            let path = folder.join(format!("game-{number:04}.html"));
            files::create(&path, text.as_bytes())?;
        }
        let written = self
            .to
            .write_all(record.pgn().as_bytes())
            .and_then(|()| self.to.flush());
        match (written, &self.path) {
            (Ok(()), _) => Ok(ControlFlow::Continue(())),
            (Err(error), None) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(ControlFlow::Break(()))
            }
            (Err(error), None) => Err(OutputError::Standard(error)),
            (Err(error), Some(path)) => Err(FileError::write(path)(error).into()),
        }
    }
}
