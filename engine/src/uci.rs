//! The Universal Chess Interface: commands, options, and the session that executes them.

pub mod command;
pub mod debug_log;
pub mod error;
mod help;
pub mod options;
mod report;
pub mod session;
#[cfg(feature = "tune")]
mod tune;
