//! The messages between the page and the settings of the engine.

use serde::{Deserialize, Serialize};

/// The user's changes; the rest stays.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Request {
    /// Names and values.
    pub(crate) options: Vec<(String, String)>,
}

/// The settings, and the resources of the machine.
#[derive(Debug, Serialize)]
pub(crate) struct Event {
    pub(crate) options: Vec<Field>,
    /// Threads and hash table in short.
    pub(crate) summary: String,
    /// The reason something could not be set.
    pub(crate) problems: Vec<String>,
}

/// The values that an option takes.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum FieldKind {
    /// `true` or `false`.
    Check,
    Number {
        min: i64,
        max: i64,
    },
    /// A path.
    File,
}

/// An option.
#[derive(Debug, Serialize)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) kind: FieldKind,
    /// The memory or the processors that the machine has for it.
    pub(crate) note: String,
}
