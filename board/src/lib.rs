//! Castellan Board: a page to play, analyze and understand chess, served on the loopback interface
//! and shown by a browser.
//!
//! `program` is the executable. Its server serves the page and accepts WebSockets, each of which
//! gets a `session` on a thread of its own. A session passes the requests of its page to the modes,
//! one module each, and runs at most one search at a time (`task`). The modes share a `context`;
//! below it are `messages`, the JSON of the page, and `report`, results of tasks. The `annotator`
//! works for all sessions.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]

mod analysis;
mod annotator;
mod browser;
mod castling;
mod context;
mod editor;
mod engine;
mod evaluation;
mod finder;
mod illegal;
mod legal;
mod library;
mod messages;
mod openings;
mod own;
mod play;
#[cfg(not(target_family = "wasm"))]
mod program;
mod report;
mod session;
mod task;
mod training;
mod tridim;
#[cfg(target_family = "wasm")]
mod wasm;

#[cfg(not(target_family = "wasm"))]
pub use program::{Args, run};
#[cfg(target_family = "wasm")]
pub use wasm::serve;
