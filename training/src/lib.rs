//! Trains the network: self-play, files of games, and a trainer that runs on the CPU.
//!
//! The program is `castellan-train`. Uses `search` and `movegen`; no other crate uses this one.

pub mod data;
pub mod datagen;
pub mod evaluator;
pub mod files;
pub mod fit_wdl;
mod progress;
pub mod relabel;
pub mod train;
