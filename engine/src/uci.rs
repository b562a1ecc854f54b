//! The Universal Chess Interface: commands, options, and the session that executes them.

pub mod command;
mod go;
pub mod options;
pub(crate) mod position;
mod report;
pub mod session;
