//! Teaching the network: games of self-play, and a trainer that runs on processor cores.
//!
//! Stands beside the engine and uses search and movegen; nothing uses it. `castellan-train`
//! is its program.

pub mod data;
pub mod datagen;
pub mod evaluator;
pub mod files;
pub mod fit_wdl;
pub mod relabel;
mod replace;
pub mod rng;
pub mod train;
