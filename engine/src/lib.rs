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
mod date;
mod epd;
mod eval;
mod eval_file;
mod files;
pub mod input;
mod judgement;
mod manual;
mod means;
pub mod memory;
mod ordered;
mod perft;
mod pgn;
mod play;
mod position_args;
mod positions;
pub mod printer;
mod progress;
pub mod shell;
mod strength;
mod talk;
mod text;
mod told;
mod tridim;
pub mod uci;

/// The name and version the program gives for itself.
pub const NAME: &str = concat!("Castellan ", env!("CARGO_PKG_VERSION"));

/// Who wrote it, as `id author` says it.
pub const AUTHOR: &str = "the Castellan authors";
