//! Chess games as people use them: PGN, EPD and Polyglot books, names of openings, notation, games
//! against the engine at any strength, and annotation.
//!
//! A library: it knows no terminal, no network and no command line.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]

pub mod annotation;
pub mod epd;
pub mod explorer;
pub mod game_file;
pub mod library;
pub mod notation;
pub mod openings;
pub mod parallel;
pub mod pgn;
pub mod play;
pub mod polyglot;
mod side;
pub mod uci_position;

pub use side::{Side, SideError};

/// Name and version.
pub const NAME: &str = concat!("Castellan ", env!("CARGO_PKG_VERSION"));
