//! The rules of chess and Chess960 and the notations of positions and moves, by subject.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod castling;
mod claims;
mod fen;
mod game;
mod halfmove_clock;
mod illegal_moves;
mod outcomes;
mod perft;
mod positions;
mod random_walk;
mod san;
mod see;
mod text;
mod uci;
