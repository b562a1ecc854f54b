//! File formats: PGN, EPD and Polyglot books.

pub(crate) mod epd;
pub mod pgn;
pub mod polyglot;
