//! A line of a dialogue: a keyword and its argument.

use anyhow::{Result, anyhow};
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
    pub(crate) fn alone<C>(self, command: C) -> Result<Option<C>> {
        match self.argument {
            "" => Ok(Some(command)),
            found => {
                let (keyword, found) = (excerpt(self.keyword), excerpt(found));
                Err(anyhow!("'{keyword}' takes no argument, found '{found}'"))
            }
        }
    }

    /// Returns the command of a keyword with an argument.
    pub(crate) fn with<C>(
        self,
        expected: &'static str,
        command: impl FnOnce(&'a str) -> C,
    ) -> Result<Option<C>> {
        match self.argument {
            "" => Err(anyhow!("'{}' requires {expected}", excerpt(self.keyword))),
            argument => Ok(Some(command(argument))),
        }
    }

    /// The error of an argument that is none of the expected ones.
    pub(crate) fn invalid(self, expected: &'static str) -> anyhow::Error {
        let (keyword, found) = (excerpt(self.keyword), excerpt(self.argument));
        anyhow!("'{keyword}': expected {expected}, found '{found}'")
    }
}
