//! Opening books in Polyglot's format: keys, entries, lookup and the choice of a move.

mod choose;
pub(crate) mod entry;
mod file;
pub(crate) mod key;
mod numbers;

pub use choose::Choice;
pub use file::{Book, BookError, BookMove, Found};
pub use key::{key, passed_square};
