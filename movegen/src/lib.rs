//! The rules of chess and Chess960: positions, legal moves, notation, games.
//!
//! No input or output, and no word of searching: a caller brings its own tables and
//! opinions. Text comes in through `Setup` (what a FEN says) and becomes a `Position` (what
//! is legal); playing a move makes a new `Position`; a `Game` is a position with its past.

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod checks;
mod color;
mod cycle;
mod fen;
mod game;
mod generate;
mod legal;
mod movelist;
mod mv;
mod outcome;
mod perft;
mod piece;
mod play;
mod position;
mod refusal;
mod san;
mod see;
mod setup;
mod square;
mod threats;
mod uci;
mod validate;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRefusal, CastlingRights, Wing};
pub use color::Color;
pub use cycle::reversible_step;
pub use fen::{FenError, START_FEN};
pub use game::{ClaimRefusal, Claimed, Event, Game, PlayError};
pub use generate::{All, Noisy, Quiet, Wanted};
pub use movelist::{MAX_MOVES, MoveList};
pub use mv::{Move, MoveKind};
pub use outcome::{Claim, FIFTY_MOVE_PLIES, FIVEFOLD, Outcome, SEVENTY_FIVE_MOVE_PLIES, THREEFOLD};
pub use perft::{divide, divide_parallel, perft};
pub use piece::{Piece, Role};
pub use position::Position;
pub use refusal::MoveRefusal;
pub use san::SanError;
pub use see::ExchangeValues;
pub use setup::{RightName, Setup, Variant};
pub use square::{Square, SquareError};
pub use threats::Threats;
pub use uci::{UciMove, UciMoveError};
pub use validate::IllegalPosition;
pub use zobrist::Keys;
