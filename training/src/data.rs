//! Games of self-play as they are kept: their format, files of them, and the positions drawn
//! from them. docs/training.md describes the format.

mod chunk;
mod error;
mod example;
mod file;
mod game;
mod journal;
mod load;
mod start;
#[cfg(test)]
mod tests;

pub use chunk::{ChunkError, MOST_PLIES};
pub use error::DataError;
pub use example::{Example, GameResult, Man};
pub use file::{Appender, Chunk, Chunks};
pub use game::{Ending, Game, GameError, Ply};
pub(crate) use journal::{Journal, Left};
pub use load::{Filter, Loaded, examples, load};
pub use start::StartError;
