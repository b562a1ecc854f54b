//! What the program does besides speaking UCI, asked as people and scripts ask it.

use test_common::Program;

mod analyze;
mod analyze_input;
mod analyze_resume;
mod annotate;
mod book;
mod counts;
mod documents;
mod epd;
mod manual;
mod play;
mod play_kept;
mod tridim;

const CASTELLAN: Program = Program::new(env!("CARGO_BIN_EXE_castellan"));
