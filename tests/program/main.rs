//! The executable `castellan`, driven as its users drive it.

use test_common::Program;

mod commands;
mod uci;

const CASTELLAN: Program = Program::new(env!("CARGO_BIN_EXE_castellan"));
