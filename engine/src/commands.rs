//! The subcommands: each defines its arguments, does its work and prints the result.

pub(crate) mod analyze;
pub(crate) mod annotate;
pub(crate) mod board;
pub(crate) mod checkpoint;
pub(crate) mod fen;
pub(crate) mod manual;
pub(crate) mod pgn;
pub(crate) mod search_args;
