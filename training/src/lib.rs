//! Trains the network: self-play, game files, and a trainer that runs on the CPU.
//!
//! The program is `castellan-train`. Uses `search`, `formats` and `movegen`; no other crate uses
//! this one.

#![forbid(unsafe_code)]

mod adjudication;
pub mod data;
pub mod datagen;
pub mod files;
pub mod fit_wdl;
mod progress;
pub mod scorer;
pub mod train;
