//! The program as a UCI engine.

use crate::CASTELLAN;

mod bench;
mod book;
mod book_broken;
mod book_choice;
pub(crate) mod book_files;
mod display;
mod end_of_input;
mod eval_file;
mod genfens;
mod go;
mod info;
mod last_info;
mod options;
mod perft;
mod ponder;
mod position;
mod robustness;
mod search_output;
mod strength;
mod tablebases;
