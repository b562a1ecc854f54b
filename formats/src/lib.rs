//! The text and file formats of chess: PGN, EPD, Polyglot books, positions with their moves, and
//! what they name: openings, move numbers, the games of a player.
//!
//! A library over the rules of chess: it knows no search, no network and no command line.

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
