//! The executable `castellan-board`; its code is in the library.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    board::run(&board::Args::parse())
}
