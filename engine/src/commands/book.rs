//! `castellan book`: makes and shows opening books.

mod make;
mod show;
mod tally;

use std::io;

use clap::Subcommand;
use thiserror::Error;

use crate::output::printer::Printer;

/// The book the shell's jobs work on when none is named.
const USUAL_BOOK: &str = "book.bin";

/// What the shell can ask about books.
#[derive(Debug, Subcommand)]
pub(crate) enum BookJob {
    Make(make::MakeArgs),
    Show(show::ShowArgs),
}

/// Why a job about books could not be done.
#[derive(Debug, Error)]
pub(crate) enum BookJobError {
    #[error(transparent)]
    Make(#[from] make::MakeError),
    #[error(transparent)]
    Show(#[from] show::ShowError),
}

pub(crate) fn run(job: &BookJob, printer: &Printer<io::Stdout>) -> Result<(), BookJobError> {
    match job {
        BookJob::Make(args) => Ok(make::run(args, printer)?),
        BookJob::Show(args) => Ok(show::run(args, printer)?),
    }
}
