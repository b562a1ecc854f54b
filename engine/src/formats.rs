//! File formats: PGN, EPD and Polyglot books.

pub(crate) mod epd;
pub(crate) mod pgn;
pub mod polyglot;
