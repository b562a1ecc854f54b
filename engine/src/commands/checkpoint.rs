//! The results of `analyze` and `annotate`, on standard output or in the file of `--out`.
//!
//! That file is written when the run is complete. Until then `FILE.partial` has a line of JSON
//! with the settings and one for each result, so that `--resume` continues an interrupted run
//! after its last result. Each line begins with its checksum; from the first damaged one on,
//! results are computed again. Both files are one process's for the whole run.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use common::excerpt;
use common::files::{self, FileError};
use common::hash::fnv1a;
use common::lock::OutputLock;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::output::json::json_line;
use crate::output::printer::Printer;
#[cfg(not(target_family = "wasm"))]
use crate::output::warn;

#[derive(Debug, clap::Args)]
pub(crate) struct OutArgs {
    /// Write the results to FILE once all are complete; until then they are kept in FILE.partial
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Continue an interrupted run with --out
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub(crate) resume: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// The advice about a file that an interrupted run would overwrite.
const RENAME: &str = "rename it and continue with --resume";

/// Refuses a name that is taken, with what to do about it.
fn refuse_existing(path: &Path, advice: &str) -> Result<()> {
    // Also a link that leads nowhere.
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    let path = path.to_owned();
    Err(anyhow!("{} ({advice})", FileError::Exists { path }))
}

/// The first line of an unfinished file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// Everything the results depend on besides the input.
    settings: Vec<String>,
    /// True if the finished file may replace another.
    overwrite: bool,
}

/// A result.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The number of the line or game.
    pub(crate) number: u64,
    /// A fingerprint of the line or game as it was read.
    input: u64,
    pub(crate) text: String,
}

impl Entry {
    pub(crate) fn new(number: u64, input: &str, text: String) -> Self {
        Self {
            number,
            input: fnv1a(input.as_bytes()),
            text,
        }
    }

    /// Checks that a line or game of the input, given by its number and text, is the one that this
    /// is the result for.
    pub(crate) fn check(&self, noun: &'static str, found: Option<(u64, String)>) -> Result<()> {
        let fault = match found {
            None => format!("{noun} {} of the interrupted run is missing", self.number),
            Some((number, input))
                if (number, fnv1a(input.as_bytes())) != (self.number, self.input) =>
            {
                format!("{noun} {number} is not the one in the interrupted run")
            }
            Some(_) => return Ok(()),
        };
        let advice = "use the same input, or --force to start over";
        Err(anyhow!("the input has changed: {fault}; {advice}"))
    }
}

/// The file of `--out`, kept from other processes.
#[derive(Debug)]
pub(crate) struct OutFile {
    path: PathBuf,
    _lock: OutputLock,
}

/// The interrupted run, if there is one and it is continued.
#[derive(Debug)]
pub(crate) struct PreviousRun {
    out: Option<OutFile>,
    header: Header,
    partial: Option<PartialFile>,
}

impl OutFile {
    fn lock(path: &Path) -> Result<Self, FileError> {
        Ok(Self {
            path: path.to_owned(),
            _lock: OutputLock::acquire(path)?,
        })
    }
}

impl PreviousRun {
    /// Locks the output and finds out what is to be continued; changes nothing.
    pub(crate) fn read(args: &OutArgs, settings: Vec<String>) -> Result<Self> {
        let mut previous = Self {
            out: args.out.as_deref().map(OutFile::lock).transpose()?,
            header: Header {
                settings,
                overwrite: args.force,
            },
            partial: None,
        };
        let Some(path) = &args.out else {
            return Ok(previous);
        };
        let partial = partial_path(path);
        if args.resume && partial.exists() {
            let mut file = PartialFile::open(partial.clone())?;
            let header: Option<Header> = file.next()?;
            let header = header.ok_or_else(|| file.error("it is incomplete or damaged"))?;
            check_settings(&header.settings, &previous.header.settings)?;
            previous.header = header;
            previous.partial = Some(file);
        }
        let is_written = previous.is_continued() && has_results(path, &partial)?;
        if !previous.header.overwrite && !is_written {
            let advice = if partial.exists() {
                RENAME
            } else {
                "use --force"
            };
            refuse_existing(path, advice)?;
        }
        if !args.resume && !args.force && partial.exists() {
            bail!(
                "'{}' is left from an interrupted run; use --resume to continue it, or --force to \
                 start over",
                partial.display()
            );
        }
        Ok(previous)
    }

    pub(crate) fn is_continued(&self) -> bool {
        self.partial.is_some()
    }

    /// Returns the next result of the interrupted run.
    pub(crate) fn next_result(&mut self) -> Result<Option<Entry>> {
        match &mut self.partial {
            Some(file) => file.next(),
            None => Ok(None),
        }
    }

    /// Opens the output, after the results that have been read.
    pub(crate) fn open_output(self, printer: &Printer<io::Stdout>) -> Result<Output> {
        let Some(out) = self.out else {
            return Ok(Output::Stdout(printer.clone()));
        };
        let partial = partial_path(&out.path);
        if self.partial.is_none() {
            files::replace_beside(&partial, checked_line(&self.header)?.as_bytes())?;
        }
        // On Windows, a file that is opened to append cannot be truncated.
        let mut file = files::open_beside(OpenOptions::new().write(true), &partial)?;
        if let Some(previous) = self.partial {
            file.set_len(previous.bytes)
                .map_err(FileError::write(&partial))?;
        }
        file.seek(SeekFrom::End(0))
            .map_err(FileError::write(&partial))?;
        on_interrupt(&partial);
        Ok(Output::File {
            file,
            out,
            overwrite: self.header.overwrite,
        })
    }
}

/// Ctrl-C ends the run and says how to go on.
#[cfg(not(target_family = "wasm"))]
fn on_interrupt(partial: &Path) {
    let partial = partial.display().to_string();
    let handler = move || {
        warn(format_args!(
            "interrupted; '{partial}' has the results so far, and --resume continues from there"
        ));
        std::process::exit(130);
    };
    // Otherwise it ends without a word.
    let _ = ctrlc::set_handler(handler);
}

/// WebAssembly has no signals.
#[cfg(target_family = "wasm")]
fn on_interrupt(_: &Path) {}

fn check_settings(before: &[String], now: &[String]) -> Result<()> {
    let only = |these: &[String], those: &[String]| {
        let only: Vec<&str> = these
            .iter()
            .filter(|setting| !those.contains(setting))
            .map(String::as_str)
            .collect();
        match only.as_slice() {
            [] => "no such option".to_owned(),
            only => format!("'{}'", excerpt(&only.join("', '"))),
        }
    };
    ensure!(
        before == now,
        "the interrupted run had {}, this one has {}; use the same options, or --force to \
             start over",
        only(before, now),
        only(now, before)
    );
    Ok(())
}

/// More than the result for any line or game.
const MAX_LINE_BYTES: u64 = 1 << 30;

/// A line of JSON after its checksum.
fn checked_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = json_line(value)?;
    Ok(format!("{:016x} {json}", fnv1a(json.trim_end().as_bytes())))
}

/// The JSON of a line, if its checksum is right.
fn checked(line: &[u8]) -> Option<&str> {
    let (sum, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (u64::from_str_radix(sum, 16) == Ok(fnv1a(json.as_bytes()))).then_some(json)
}

/// An unfinished file, whose last line may be incomplete.
#[derive(Debug)]
struct PartialFile {
    path: PathBuf,
    reader: BufReader<File>,
    /// The number and the length of the lines read.
    lines: usize,
    bytes: u64,
}

impl PartialFile {
    fn open(path: PathBuf) -> Result<Self, FileError> {
        Ok(Self {
            reader: BufReader::new(files::open_beside(OpenOptions::new().read(true), &path)?),
            path,
            lines: 0,
            bytes: 0,
        })
    }

    /// Reads the next line; `None` after the last one that is complete and undamaged.
    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        let mut line = Vec::new();
        let mut reader = (&mut self.reader).take(MAX_LINE_BYTES);
        let read = reader.read_until(b'\n', &mut line);
        read.map_err(FileError::read(&self.path))?;
        if line.len() as u64 == MAX_LINE_BYTES {
            return Err(self.error(format_args!("it has more than {MAX_LINE_BYTES} bytes")));
        }
        let Some(json) = line.strip_suffix(b"\n").and_then(checked) else {
            return Ok(None);
        };
        let value = serde_json::from_str(json);
        let value = value.map_err(|error| self.error(error))?;
        self.lines += 1;
        self.bytes += line.len() as u64;
        Ok(Some(value))
    }

    /// True if all of the file has been read.
    fn is_at_end(&self) -> io::Result<bool> {
        Ok(self.reader.get_ref().metadata()?.len() == self.bytes)
    }

    /// An error in the next line.
    fn error(&self, reason: impl Display) -> anyhow::Error {
        let (path, line) = (self.path.display(), self.lines + 1);
        anyhow!("'{path}' is not from an interrupted run: line {line}: {reason}")
    }
}

/// True if the file has the results of the interrupted run, which then only had to remove its
/// unfinished file.
fn has_results(path: &Path, partial: &Path) -> Result<bool> {
    let Ok(file) = files::open(path) else {
        return Ok(false);
    };
    let mut file = BufReader::new(file);
    let mut results = PartialFile::open(partial.to_owned())?;
    let _header: Option<Header> = results.next()?;
    while let Some(result) = results.next()? {
        let result: Entry = result;
        let mut text = vec![0; result.text.len()];
        if file.read_exact(&mut text).is_err() || text != result.text.as_bytes() {
            return Ok(false);
        }
    }
    Ok(file.fill_buf().is_ok_and(<[u8]>::is_empty))
}

fn partial_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    name.into()
}

/// The destination of results.
pub(crate) enum Output {
    Stdout(Printer<io::Stdout>),
    /// The unfinished file, and the finished one.
    File {
        file: File,
        out: OutFile,
        overwrite: bool,
    },
}

impl Output {
    /// Writes a result; breaks if the reader of standard output has closed it.
    pub(crate) fn write(&mut self, result: &Entry) -> Result<ControlFlow<()>> {
        match self {
            Self::Stdout(printer) => Ok(printer.text(&result.text)),
            Self::File { file, out, .. } => {
                let written = file.write_all(checked_line(result)?.as_bytes());
                written.map_err(FileError::write(&partial_path(&out.path)))?;
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Writes the finished file; breaks if the reader of standard output has closed it.
    pub(crate) fn finish(self) -> Result<ControlFlow<()>> {
        let (out, overwrite) = match self {
            Self::Stdout(printer) if printer.is_closed() => return Ok(ControlFlow::Break(())),
            Self::Stdout(_) => return Ok(ControlFlow::Continue(())),
            Self::File { out, overwrite, .. } => (out, overwrite),
        };
        let partial = partial_path(&out.path);
        let mut results = PartialFile::open(partial.clone())?;
        let _header: Option<Header> = results.next()?;
        let write = |file: &File| {
            let mut file = BufWriter::new(file);
            while let Some(result) = results.next::<Entry>().map_err(io::Error::other)? {
                file.write_all(result.text.as_bytes())?;
            }
            file.flush()?;
            if results.is_at_end()? {
                return Ok(());
            }
            Err(io::Error::other(format!(
                "'{}' was damaged after line {}; use --resume to compute the rest again",
                partial.display(),
                results.lines
            )))
        };
        if overwrite {
            files::replace_with(&out.path, write)?;
        } else {
            match files::create_with(&out.path, write) {
                Err(FileError::Exists { .. }) if has_results(&out.path, &partial)? => {}
                Err(FileError::Exists { path }) => {
                    bail!("'{}' appeared during the run; {RENAME}", path.display());
                }
                written => written?,
            }
        }
        fs::remove_file(&partial).map_err(FileError::write(&partial))?;
        Ok(ControlFlow::Continue(()))
    }
}
