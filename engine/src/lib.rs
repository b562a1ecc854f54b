//! All input and output of the `castellan` program: the UCI session and the commands. A library,
//! so that tests and fuzz targets can use it.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "it has neither threads nor terminals")
)]

mod args;
pub mod cli;
mod commands;
mod input;
pub mod output;
mod terminal;
pub mod uci;

/// The name after `id author`.
pub const AUTHOR: &str = "the Castellan authors";
