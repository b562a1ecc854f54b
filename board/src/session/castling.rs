//! The castling inspector.

use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Request {
    Inspect { fen: String },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    Error { text: String },
}

pub(crate) fn answer(request: &Request) -> Event {
    let Request::Inspect { fen } = request;
    Event::Error { text: fen.clone() }
}
