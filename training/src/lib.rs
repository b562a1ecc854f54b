//! Trains the network: self-play, game files, and a trainer that runs on the CPU.
//!
//! The program is `castellan-train`. Uses `search` and `movegen`; no other crate uses this one.

#![forbid(unsafe_code)]

mod adjudication;
pub mod data;
pub mod datagen;
pub mod files;
pub mod fit_wdl;
mod progress;
pub mod scorer;
pub mod train;

/// Any error a command ends with; the program prints it. Errors that callers
/// distinguish have their own types.
pub(crate) type CommandError = Box<dyn std::error::Error + Send + Sync>;

fn output_error(error: &std::io::Error) -> CommandError {
    format!("cannot write to standard output: {error}").into()
}
