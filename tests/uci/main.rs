//! The real binary, driven as programs and people drive it.

use test_common::Program;

mod book;
mod book_broken;
mod book_choice;
mod display;
mod end_of_input;
mod eval_file;
mod go;
mod heard;
mod lines;
mod never;
mod options;
mod perft;
mod ponder;
mod position;
mod random_sessions;
mod shelf;
mod shell;
mod strength;
mod tablebases;

const CASTELLAN: Program = Program::new(env!("CARGO_BIN_EXE_castellan"));
