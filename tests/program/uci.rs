//! The program as a UCI engine, and its command line.

use crate::CASTELLAN;

mod book;
mod book_broken;
mod book_choice;
mod book_files;
mod command_line;
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
mod random_sessions;
mod robustness;
mod search_output;
mod strength;
mod tablebases;
