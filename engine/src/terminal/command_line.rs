//! One line of a dialogue: a keyword and what follows it.

use thiserror::Error;

use common::excerpt;

/// A typed line, split at the first blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandLine<'a> {
    /// The whole line without surrounding blanks.
    pub(crate) text: &'a str,
    /// Empty for a blank line.
    pub(crate) keyword: &'a str,
    /// The text after the keyword, without surrounding blanks.
    pub(crate) argument: &'a str,
}

/// The reason the argument of a command is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum ArgumentError {
    #[error("'{keyword}' takes no argument, found '{found}'")]
    Unexpected { keyword: String, found: String },
    #[error("'{keyword}' requires {expected}")]
    Missing {
        keyword: String,
        expected: &'static str,
    },
    #[error("'{keyword}': expected {expected}, found '{found}'")]
    Invalid {
        keyword: String,
        expected: &'static str,
        found: String,
    },
}

impl<'a> CommandLine<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        let text = line.trim();
        let (keyword, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Self {
            text,
            keyword,
            argument: argument.trim(),
        }
    }

    /// The argument, if there is one.
    pub(crate) fn optional(self) -> Option<&'a str> {
        (!self.argument.is_empty()).then_some(self.argument)
    }

    /// Returns the command of a keyword without an argument.
    pub(crate) fn alone<C>(self, command: C) -> Result<Option<C>, ArgumentError> {
        match self.argument {
            "" => Ok(Some(command)),
            found => Err(ArgumentError::Unexpected {
                keyword: excerpt(self.keyword),
                found: excerpt(found),
            }),
        }
    }

    /// Returns the command of a keyword with an argument.
    pub(crate) fn with<C>(
        self,
        expected: &'static str,
        command: impl FnOnce(&'a str) -> C,
    ) -> Result<Option<C>, ArgumentError> {
        match self.argument {
            "" => Err(ArgumentError::Missing {
                keyword: excerpt(self.keyword),
                expected,
            }),
            argument => Ok(Some(command(argument))),
        }
    }

    /// The error of an argument that is none of the expected ones.
    pub(crate) fn invalid(self, expected: &'static str) -> ArgumentError {
        ArgumentError::Invalid {
            keyword: excerpt(self.keyword),
            expected,
            found: excerpt(self.argument),
        }
    }
}
