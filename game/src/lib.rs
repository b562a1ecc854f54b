//! Games as people play and study them: against the engine or between two players, kept in a
//! library, and annotated.
//!
//! A library: it knows no terminal, no network and no command line.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]

pub mod annotation;
pub mod deck;
pub mod game_file;
pub mod library;
pub mod own_openings;
pub mod parallel;
pub mod play;
pub mod profile;
pub mod progress;
pub mod repertoire;
mod side;
pub mod tree;

pub use side::{Side, SideError};
