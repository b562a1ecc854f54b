//! Castellan Board: a page to play, analyze and understand chess, served on the loopback interface
//! and shown by a browser.
//!
//! `program` is the executable. Its server gives out the page and accepts WebSockets, each of which
//! gets a `session` on a thread of its own. A session passes the requests of its page to the modes,
//! one module each, and runs at most one search at a time (`session/task`).

#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

#[cfg(not(target_family = "wasm"))]
mod program;
mod session;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use game::library::Library;
use game::polyglot::{self, Book, BookError, BookMoves, passed_square};
use movegen::Game;
use search::Tablebases;
use thiserror::Error;

#[cfg(not(target_family = "wasm"))]
pub use program::{Args, run};
#[cfg(target_family = "wasm")]
pub use session::wasm::serve;

/// What all searches use.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) threads: usize,
    /// In MB.
    pub(crate) hash: usize,
    /// The directories of the tablebases, as in PATH.
    pub(crate) syzygy: String,
    pub(crate) tablebases: Arc<Tablebases>,
    pub(crate) book: Option<UserBook>,
    pub(crate) library: Library,
}

/// The Polyglot book of the user.
#[derive(Debug, Clone)]
pub(crate) struct UserBook {
    pub(crate) path: String,
    book: Arc<Mutex<Book>>,
}

impl UserBook {
    pub(crate) fn open(path: &str) -> Result<UserBook, UnusableBook> {
        let unusable = |source| UnusableBook {
            path: path.to_owned(),
            source,
        };
        let book = Book::open(Path::new(path)).map_err(unusable)?;
        Ok(UserBook {
            path: path.to_owned(),
            book: Arc::new(Mutex::new(book)),
        })
    }

    /// The moves of the last position of a game.
    pub(crate) fn moves(&self, game: &Game) -> Result<BookMoves, BookError> {
        let position = game.position();
        let key = polyglot::key(position, passed_square(game, None));
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        book.find(position, key)
    }
}

#[derive(Debug, Error)]
#[error("cannot use the book '{path}': {source}")]
pub(crate) struct UnusableBook {
    path: String,
    source: BookError,
}

impl Config {
    /// Whether searches need other searchers.
    pub(crate) fn differs(&self, other: &Config) -> bool {
        (self.threads, self.hash, &self.syzygy) != (other.threads, other.hash, &other.syzygy)
    }

    pub(crate) fn book_path(&self) -> &str {
        self.book.as_ref().map_or("", |book| &book.path)
    }
}
