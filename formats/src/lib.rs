#![doc = include_str!("../README.md")]
#![deny(clippy::indexing_slicing, clippy::print_stdout, clippy::print_stderr)]
#![forbid(unsafe_code)]

pub mod epd;
pub mod explorer;
pub mod notation;
pub mod openings;
pub mod pgn;
pub mod polyglot;
pub mod typed_move;
pub mod uci_position;
