//! Where answers go: standard output, or a file that is never written over.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::answer::{Answer, Style};
use super::{AnalyzeError, Resumed};

pub(super) struct Output {
    to: Box<dyn Write + Send>,
    path: Option<PathBuf>,
    closed: bool,
}

impl Output {
    /// A new file, or the one that is gone on with.
    pub(super) fn open(path: Option<&Path>, resumed: &Resumed) -> Result<Output, AnalyzeError> {
        let Some(path) = path else {
            return Ok(Output {
                to: Box::new(stdout()),
                path: None,
                closed: false,
            });
        };
        let failed = |source| AnalyzeError::Write {
            path: path.to_owned(),
            source,
        };
        let mut options = OpenOptions::new();
        options.append(true);
        let file = match resumed.whole_bytes {
            None => options
                .create_new(true)
                .open(path)
                .map_err(|error| match error.kind() {
                    ErrorKind::AlreadyExists => AnalyzeError::Exists {
                        path: path.to_owned(),
                    },
                    _ => failed(error),
                })?,
            Some(bytes) => {
                let file = options.open(path).map_err(failed)?;
                // A last line that was cut off is written again.
                file.set_len(bytes).map_err(failed)?;
                file
            }
        };
        Ok(Output {
            to: Box::new(file),
            path: Some(path.to_owned()),
            closed: false,
        })
    }

    /// Each answer is out when this returns, so that an interruption costs none.
    pub(super) fn write(
        &mut self,
        answer: Answer,
        style: Style,
    ) -> Result<ControlFlow<()>, AnalyzeError> {
        let text = answer.text(style).map_err(io::Error::from);
        let written = text.and_then(|text| {
            self.to.write_all(format!("{text}\n").as_bytes())?;
            self.to.flush()
        });
        match (written, &self.path) {
            (Ok(()), _) => Ok(ControlFlow::Continue(())),
            (Err(error), None) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(ControlFlow::Break(()))
            }
            (Err(source), None) => Err(AnalyzeError::Standard(source)),
            (Err(source), Some(path)) => Err(AnalyzeError::Write {
                path: path.clone(),
                source,
            }),
        }
    }

    /// Nobody reads the answers any more.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }
}
