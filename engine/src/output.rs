//! Output: the printer, JSON types, files and progress bars.

pub(crate) mod files;
pub(crate) mod json;
pub mod printer;
pub(crate) mod progress;
