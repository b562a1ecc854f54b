//! The Universal Chess Interface: commands, options, and the session that executes them.

pub mod command;
mod genfens;
mod go;
mod info;
pub mod session;
