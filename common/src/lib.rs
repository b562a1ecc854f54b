//! Helpers that several crates of the workspace share: replacing and locking
//! files, reading lines, random numbers, text in messages.
//!
//! A leaf: it knows no chess and depends on no other crate of the workspace.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]

pub mod files;
pub mod hash;
pub mod input;
pub mod lock;
pub mod manual;
mod message;
pub mod rng;
pub mod words;

pub use message::{capitalized, escape_controls, excerpt, plural};

/// The name and the version of the program.
pub const NAME: &str = concat!("Castellan ", env!("CARGO_PKG_VERSION"));
