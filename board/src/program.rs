//! The executable: its arguments, and the server of the page.

mod access;
mod annotate;
mod page;
mod server;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::CommandFactory;
use clap_mangen::Man;
use common::{NAME, manual};
use game::library::Library;
use service::{Assignment, Engine, OptionTable, argument};

use crate::annotator::Annotator;
use access::{Access, RedirectPage};

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
    #[arg(long, value_name = "N", default_value = "1", value_parser = |text: &str| argument("Threads", text))]
    threads: Assignment,
    /// Size of the hash table of a search
    #[arg(long, value_name = "MB", default_value = "64", value_parser = |text: &str| argument("Hash", text))]
    hash: Assignment,
    /// Directories with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "DIRS", value_parser = |text: &str| argument("SyzygyPath", text))]
    syzygy: Option<Assignment>,
    /// Polyglot opening book whose moves Analyze shows
    #[arg(long, value_name = "FILE", value_parser = |text: &str| argument("BookFile", text))]
    book: Option<Assignment>,
    /// Annotate your games that are not annotated, and end; the rest waits if it is interrupted
    #[arg(long)]
    annotate: bool,
    /// Print the manual page
    #[arg(long, hide = true)]
    man: bool,
}

/// Runs the program until it is asked to end.
pub fn run(args: &Args) -> ExitCode {
    let done = if args.man {
        print_manual().map_err(|error| anyhow!("cannot write to standard output: {error}"))
    } else {
        serve(args)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            warn(error);
            ExitCode::FAILURE
        }
    }
}

fn print_manual() -> io::Result<()> {
    let man = Man::new(Args::command())
        .title("CASTELLAN-BOARD")
        .date(manual::DATE);
    let mut page = Vec::new();
    man.source(NAME)
        .manual("Castellan Manual")
        .render(&mut page)?;
    let status = [
        (
            "0",
            "Ended by Ctrl-C or SIGTERM, or all games are annotated.",
        ),
        ("1", "Failure, reported on standard error."),
    ];
    let files = [(
        "~/.local/state/castellan",
        "Games, and the address and the token of the page; below XDG_STATE_HOME if that is set.",
    )];
    let mut text = String::from_utf8_lossy(&page).into_owned();
    text += &manual::section("FILES", files);
    text += &manual::section("EXIT STATUS", status);
    io::stdout().write_all(manual::tidy(&text).as_bytes())
}

fn serve(args: &Args) -> Result<()> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    limit_arenas();
    let mut engine = Engine::new(OptionTable::default());
    let given = [&args.threads, &args.hash].into_iter();
    for assignment in given.chain(&args.syzygy).chain(&args.book) {
        for error in engine.apply(assignment)? {
            warn(error);
        }
    }
    let annotator = Annotator::new(Library::of_user(), engine.builder());
    if args.annotate {
        return annotate::run(&engine, &annotator);
    }
    let access = Access::load_or_create()?;
    annotator.start_workers();
    let mut redirect = None;
    let served = server::run(args.port, access, engine, annotator, |access| {
        let address = access.address();
        let text = format!("Castellan Board: {address}\nPress Ctrl-C to stop.\n");
        // The browser is opened all the same.
        if let Err(error) = io::stdout().write_all(text.as_bytes()) {
            warn(format_args!("cannot write to standard output: {error}"));
        }
        if !args.no_browser {
            match open_browser(access) {
                Ok(page) => redirect = Some(page),
                Err(error) => warn(format_args!(
                    "cannot start a browser: {error}; open the address above in one"
                )),
            }
        }
    });
    if let Some(page) = redirect {
        page.remove();
    }
    Ok(served?)
}

/// Limits the C library to two arenas for all threads, since each keeps the most that was ever in
/// use in it, and sessions and their searches come and go on threads of their own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn limit_arenas() {
    // SAFETY: sets a number of the allocator, which every value of it allows.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 2) };
}

/// Opens a browser with a page that leads to the server's, which is removed once the browser has
/// connected, or after a minute.
fn open_browser(access: &Access) -> Result<Arc<RedirectPage>> {
    const PATIENCE: Duration = Duration::from_secs(10);
    const LONGEST_START: Duration = Duration::from_secs(60);
    const PAUSE: Duration = Duration::from_millis(100);
    let page = Arc::new(access.write_redirect()?);
    open::that_detached(page.path())?;
    let (access, shown) = (access.clone(), Arc::clone(&page));
    thread::spawn(move || {
        let started = Instant::now();
        let mut is_told = false;
        while !access.is_known() && started.elapsed() < LONGEST_START {
            if !is_told && started.elapsed() > PATIENCE {
                warn("no browser has opened the page; open the address above in one");
                is_told = true;
            }
            thread::sleep(PAUSE);
        }
        shown.remove();
    });
    Ok(page)
}

fn warn(message: impl Display) {
    // Without standard error there is still the exit status.
    let _ = writeln!(io::stderr(), "castellan-board: {message}");
}
