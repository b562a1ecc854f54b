//! The messages between the page and the editor of positions.

use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    Check { fen: String, chess960: bool },
}

/// About the position of a request, which is repeated.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Event {
    pub(crate) fen: String,
    pub(crate) chess960: bool,
    /// The reason the position is not legal.
    pub(crate) problem: Option<String>,
    /// The parts that are dropped when it is used.
    pub(crate) notes: Vec<String>,
}
