//! Work that takes time: a status line in the terminal, and Ctrl-C, which asks for the result now.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use search::SearchControl;

/// Work that is shown and can be stopped.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) stop: SearchControl,
    pub(crate) bar: ProgressBar,
    /// True if a person sees the iterations: not those in which the engine looks for its own move.
    pub(crate) shows_iterations: bool,
    /// The length of a message that leaves room for the time and what is typed.
    length: usize,
}

const ROOM: usize = 12;

impl Work {
    /// A search, shown with the time that it takes.
    pub(super) fn search(shows_iterations: bool, columns: usize) -> Self {
        let bar = ProgressBar::new_spinner().with_message("thinking");
        if let Ok(style) = ProgressStyle::with_template("{elapsed} {msg}") {
            bar.set_style(style);
        }
        Self {
            stop: SearchControl::new(),
            bar,
            shows_iterations,
            length: columns.saturating_sub(ROOM),
        }
    }

    /// Shows the result of an iteration; the score is White's.
    pub(crate) fn report(&self, depth: u32, score: &str, line: &str) {
        let status = format!("depth {depth}  {score}  {line}");
        let status: String = status.chars().take(self.length).collect();
        self.bar.set_message(status);
    }
}

/// The work that Ctrl-C stops.
static RUNNING: Mutex<Option<SearchControl>> = Mutex::new(None);

pub(super) fn set_running(work: Option<SearchControl>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = work;
}

/// From now on Ctrl-C stops the work that runs. The second time, or without any, it ends the
/// program.
#[cfg(not(target_family = "wasm"))]
pub(super) fn handle_interrupts() {
    let handler = || {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        match &*running {
            Some(work) if !work.is_stopped() => work.stop(),
            _ => std::process::exit(130),
        }
    };
    // Otherwise Ctrl-C ends the program: the game is saved.
    let _ = ctrlc::set_handler(handler);
}

/// WebAssembly has no terminal.
#[cfg(target_family = "wasm")]
pub(super) fn handle_interrupts() {}
