//! The executable: its arguments, and the server that gives out the page.

mod access;
mod page;
mod server;

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use game::library::Library;
use search::Tablebases;
use service::memory::{self, MemoryError};
use thiserror::Error;

use crate::{Config, UnusableBook, UserBook};
use access::{Access, AccessError};
use server::ServerError;

/// Play, analyze and understand chess in a browser
///
/// Serves a page on this computer only (127.0.0.1) and opens it.
#[derive(Debug, clap::Parser)]
#[command(name = "castellan-board", version)]
pub struct Args {
    /// Port of the page [default: 8640, or a free one if that is in use]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16))]
    port: Option<u16>,
    /// Only print the address of the page
    #[arg(long)]
    no_browser: bool,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of the hash table of a search
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Directories with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<PathBuf>,
    /// Polyglot opening book whose moves Analyze shows
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
}

#[derive(Debug, Error)]
enum BoardError {
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Book(#[from] UnusableBook),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Server(#[from] ServerError),
}

/// Runs the program until Ctrl-C.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    match serve(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn(error);
            ExitCode::FAILURE
        }
    }
}

fn serve(args: &Args) -> Result<(), BoardError> {
    memory::check_hash(usize::try_from(args.hash).unwrap_or(usize::MAX))?;
    let directories: Vec<PathBuf> = args.syzygy.iter().flat_map(std::env::split_paths).collect();
    let (tablebases, errors) = Tablebases::find(&directories);
    for error in errors {
        warn(error);
    }
    let config = Config {
        threads: usize::try_from(args.threads).unwrap_or(1),
        hash: usize::try_from(args.hash).unwrap_or(1),
        syzygy: args
            .syzygy
            .iter()
            .map(|path| path.to_string_lossy())
            .collect(),
        tablebases: Arc::new(tablebases),
        book: args.book.as_deref().map(UserBook::open).transpose()?,
        library: Library::of_user(),
    };
    let access = Access::load_or_create()?;
    server::run(args.port, access, config, |access| {
        // Without standard output the browser is still opened.
        let _ = writeln!(
            io::stdout(),
            "Castellan Board: {}\nPress Ctrl-C to stop.",
            access.address()
        );
        if !args.no_browser
            && let Err(error) = open_browser(access)
        {
            warn(format_args!(
                "cannot start a browser: {error}; open the address above in one"
            ));
        }
    })?;
    Ok(())
}

fn open_browser(access: &Access) -> Result<(), Box<dyn Error>> {
    Ok(open::that_detached(access.write_redirect()?)?)
}

fn warn(message: impl Display) {
    // Without standard error there is still the exit status.
    let _ = writeln!(io::stderr(), "castellan-board: {message}");
}
