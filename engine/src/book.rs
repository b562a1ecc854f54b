//! Opening books in Polyglot's format: read and asked.
//!
//! Everything here knows positions and bytes; when a game is played from a book is for the
//! session to say.

mod choose;
mod entry;
mod file;
mod key;
mod numbers;

pub use choose::Choice;
pub use file::{Book, BookError, BookMove, Found};
pub use key::{key, passed_square};

/// Seeds of the weighted choice go from 1 to here: what every GUI's numbers can hold.
pub const LARGEST_SEED: u32 = i32::MAX as u32;
