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

mod board;
mod chance;
pub mod cli;
mod commands;
mod eval_file;
pub mod formats;
mod judgement;
pub mod memory;
mod notation;
pub mod output;
mod play;
mod strength;
mod text;
pub mod uci;

/// The name and version the program gives for itself.
pub const NAME: &str = concat!("Castellan ", env!("CARGO_PKG_VERSION"));

/// Who wrote it, as `id author` says it.
pub const AUTHOR: &str = "the Castellan authors";
