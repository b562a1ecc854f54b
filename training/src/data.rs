//! The training data: the game file format (described in docs/training.md) and the dataset made
//! from it.

mod blend;
mod chunk;
mod dataset;
mod file;
mod game;
#[cfg(test)]
pub(crate) mod tests;

pub use blend::Blend;
pub(crate) use blend::sigmoid;
pub use chunk::MAX_PLIES;
pub use dataset::{Dataset, Example, PositionFilter, Split, load};
pub(crate) use dataset::{chunks, par_chunks};
pub(crate) use file::GamesJournal;
pub use file::{Chunk, ChunkReader, ChunkWriter};
pub use game::{GameRecord, GameResult, ScoredMove, Termination};
