//! The parts of the `castellan` program: everything that talks to the world.
//!
//! What arrives on the wire is read here and nowhere below; `search` and `movegen` never
//! learn that a protocol exists.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod analyze;
mod annotate;
mod ask;
mod bench;
mod board;
pub mod book;
mod chance;
pub mod command;
mod date;
pub mod debug_log;
mod epd;
pub mod error;
mod eval;
mod eval_file;
mod files;
pub mod help;
pub mod input;
mod judgement;
mod manual;
mod means;
pub mod memory;
mod number;
pub mod options;
mod ordered;
mod perft;
mod pgn;
mod play;
mod position_args;
mod positions;
pub mod printer;
mod progress;
mod report;
pub mod session;
pub mod shell;
mod strength;
mod talk;
mod told;
mod tridim;
#[cfg(feature = "tune")]
mod tune;

/// The name and version the program gives for itself.
pub const NAME: &str = concat!("Castellan ", env!("CARGO_PKG_VERSION"));

/// Who wrote it, as `id author` says it.
pub const AUTHOR: &str = "the Castellan authors";
