//! Castellan Board: a page to play, analyze and understand chess, served on the loopback interface
//! and shown by a browser.
//!
//! `program` is the executable. Its server serves the page and accepts WebSockets, each of which
//! gets a `session` on a thread of its own. A session passes the requests of its page to the modes,
//! one module each, and runs at most one search at a time (`session/task`).

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]

#[cfg(not(target_family = "wasm"))]
mod program;
mod session;

#[cfg(not(target_family = "wasm"))]
pub use program::{Args, run};
#[cfg(target_family = "wasm")]
pub use session::wasm::serve;
