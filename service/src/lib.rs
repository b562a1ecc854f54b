//! The engine as every front end sees it: one table of options with their values, the network, the
//! tablebases, the opening book, limited strength, and one way to search in the background.
//!
//! ```
//! use search::{Limits, SearchControl};
//! use service::{Engine, OptionTable};
//!
//! let mut engine = Engine::new(OptionTable::default());
//! engine.set("MultiPV", 3)?;
//! let job = engine.analysis(movegen::Game::default(), Limits::nodes(1000));
//! let result = job.run(&SearchControl::new(), &mut ())?;
//! assert_eq!(result.lines.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A library: it knows no terminal, no protocol and no command line. UCI and other front ends
//! convert names and print.

#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]
#![forbid(unsafe_code)]

pub mod background;
mod book;
mod engine;
mod job;
pub mod memory;
mod network;
mod options;
pub mod perft;
mod searcher;
mod seed;
pub mod strength;

pub use formats::polyglot::BookMove;

pub use book::{BookFileError, BookProblem, PickedMove};
pub use engine::{Engine, EngineError};
pub use job::{Job, limits_or_default};
pub use memory::MemoryError;
pub use network::EvalFileError;
#[cfg(feature = "tune")]
pub use options::tune_lines;
pub use options::{Assignment, Config, Effect, OptionError, OptionKind, OptionTable, argument};
pub use searcher::SearcherBuilder;
pub use seed::{GameSeed, MAX_SEED};
