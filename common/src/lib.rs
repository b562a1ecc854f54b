//! What several crates of the workspace share and none of them owns: replacing files
//! atomically, reading lines, talking to a terminal, random numbers.
//!
//! A leaf: it knows no chess and depends on no other crate of the workspace.

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

pub mod args;
pub mod command_line;
pub mod files;
pub mod game_file;
pub mod input;
pub mod rng;
pub mod terminal;
mod text;

pub use text::{excerpt, plural};
