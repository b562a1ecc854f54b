//! The error of the small types that are parsed from text.

use alloc::string::String;
use thiserror::Error;

/// The reason a text is not a square, a file, or another small value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("invalid {what} '{text}': expected {expected}")]
pub struct ParseError {
    what: &'static str,
    text: String,
    expected: &'static str,
}

impl ParseError {
    pub(crate) fn new(what: &'static str, text: &str, expected: &'static str) -> Self {
        Self {
            what,
            text: text.chars().take(16).collect(),
            expected,
        }
    }
}
