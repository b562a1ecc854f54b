//! One line of a dialogue: a keyword and what follows it.

use crate::CommandError;
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
    pub(crate) fn alone<C>(self, command: C) -> Result<Option<C>, CommandError> {
        match self.argument {
            "" => Ok(Some(command)),
            found => {
                let (keyword, found) = (excerpt(self.keyword), excerpt(found));
                Err(format!("'{keyword}' takes no argument, found '{found}'").into())
            }
        }
    }

    /// Returns the command of a keyword with an argument.
    pub(crate) fn with<C>(
        self,
        expected: &'static str,
        command: impl FnOnce(&'a str) -> C,
    ) -> Result<Option<C>, CommandError> {
        match self.argument {
            "" => Err(format!("'{}' requires {expected}", excerpt(self.keyword)).into()),
            argument => Ok(Some(command(argument))),
        }
    }

    /// The error of an argument that is none of the expected ones.
    pub(crate) fn invalid(self, expected: &'static str) -> CommandError {
        let (keyword, found) = (excerpt(self.keyword), excerpt(self.argument));
        format!("'{keyword}': expected {expected}, found '{found}'").into()
    }
}
