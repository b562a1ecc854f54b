//! All input and output of the `castellan` program: the UCI session and the commands. A library,
//! so that tests and fuzz targets can use it.

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

pub mod annotate;
pub mod cli;
mod commands;
mod eval_file;
pub mod formats;
pub mod memory;
pub mod notation;
pub mod openings;
pub mod output;
mod parallel;
pub mod play;
mod seed;
pub mod strength;
mod text;
pub mod uci;

/// Name and version.
pub const NAME: &str = concat!("Castellan ", env!("CARGO_PKG_VERSION"));

/// As in `id author`.
pub const AUTHOR: &str = "the Castellan authors";
