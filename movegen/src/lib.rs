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
mod cuckoo;
mod fen;
mod game;
mod legality;
mod movegen;
mod movelist;
mod moves;
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
pub use castling::{CastlingError, CastlingRights, CastlingSide};
pub use color::Color;
pub use cuckoo::reversible_move;
pub use fen::{FenError, START_FEN};
pub use game::{ClaimError, Claimed, Event, Game, PlayError};
pub use movegen::{All, GenType, Noisy, Quiet};
pub use movelist::{MAX_MOVES, MoveList};
pub use moves::{Move, MoveKind};
pub use outcome::{Claim, FIFTY_MOVE_PLIES, FIVEFOLD, Outcome, SEVENTY_FIVE_MOVE_PLIES, THREEFOLD};
pub use perft::{divide, perft};
pub use piece::{Piece, Role};
pub use position::Position;
pub use refusal::IllegalMove;
pub use san::SanError;
pub use see::SeeValues;
pub use setup::{CastlingRight, Setup, Variant};
pub use square::{Square, SquareError};
pub use threats::Threats;
pub use uci::{UciMove, UciMoveError};
pub use validate::IllegalPosition;
pub use zobrist::Keys;
