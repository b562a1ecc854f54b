//! The executable `castellan`, driven as its users drive it.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use test_common::Program;

mod commands;
mod uci;

const CASTELLAN: Program = Program::new(env!("CARGO_BIN_EXE_castellan"));
