//! The rules of chess and Chess960, line by line as an arbiter would ask for them, and the
//! texts that positions and moves are written in.

mod broken_fen;
mod castling;
mod castling_chess960;
mod castling_rights;
mod claims;
mod endings;
mod exchange;
mod fen;
mod game;
mod halfmove_clock;
mod pawns;
mod random;
mod refusals;
mod san;
mod scene;
mod uci;
