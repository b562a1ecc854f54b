//! `castellan board`: starts Castellan Board, which is a program of its own.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use anyhow::{Result, anyhow, bail};

/// Open the board in the browser
///
/// Starts castellan-board, which must lie beside this program. Its options can follow;
/// 'castellan-board --help' lists them.
#[derive(Debug, clap::Args)]
pub(crate) struct BoardArgs {
    /// Options of castellan-board
    #[arg(
        value_name = "OPTION",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    options: Vec<OsString>,
}

pub(crate) fn run(args: &BoardArgs) -> Result<()> {
    let mut path = env::current_exe()?;
    path.set_file_name(format!("castellan-board{}", env::consts::EXE_SUFFIX));
    if !path.is_file() {
        path.pop();
        bail!(
            "castellan-board is not in {}; 'make install' installs it with this program, and in a copy of the \
             sources 'cargo run --release -p board' builds and starts it",
            path.display()
        );
    }
    match Command::new(&path).args(&args.options).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(anyhow!("castellan-board ended with {status}")),
        Err(error) => Err(anyhow!("cannot start {}: {error}", path.display())),
    }
}
