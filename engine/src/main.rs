//! The executable; its code is in the library.

#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    castellan::cli::run(env::args_os())
}
