#![doc = include_str!("../README.md")]
//!
//! # Types
//!
//! No input or output, and nothing about searching. A FEN is parsed into a [`Setup`], which is
//! validated into a legal [`Position`]; playing a move gives a new `Position`; a [`Game`] is a
//! position with its history.

#![no_std]
#![deny(missing_docs)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod attackers;
pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod castling_error;
mod castling_report;
mod chess960;
mod draw_report;
mod en_passant_report;
pub mod engine;
mod fen;
mod game;
mod game_position;
mod generate;
mod history;
mod illegal_move;
mod legality;
mod make_move;
mod moves;
mod outcome;
mod parse_error;
mod perft;
mod piece;
mod piece_moves;
mod pins;
mod played_move;
#[cfg(feature = "polyglot")]
pub mod polyglot;
mod position;
mod san;
mod san_parts;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod uci;
mod zobrist;

pub use attackers::{Attacker, Attackers};
pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingPath, CastlingRight, CastlingRights, CastlingSide, Variant};
pub use castling_error::CastlingError;
pub use castling_report::CastlingReport;
pub use chess960::CHESS960_POSITIONS;
pub use draw_report::DrawReport;
pub use en_passant_report::EnPassantReport;
pub use fen::{FenError, START_FEN};
pub use game::{
    ClaimError, Claimed, FIFTY_MOVE_PLIES, FIVEFOLD, Game, PlayError, SEVENTY_FIVE_MOVE_PLIES,
    THREEFOLD,
};
pub use game_position::GamePosition;
pub use generate::{All, GenType, Noisy, Quiet};
pub use illegal_move::{IllegalMove, Reasons};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use outcome::{Claim, Event, Outcome};
pub use parse_error::ParseError;
pub use perft::perft;
pub use piece::{Color, Piece, Role};
pub use piece_moves::{PieceMoves, PieceMovesIter};
pub use pins::Pin;
pub use played_move::PlayedMove;
pub use position::Position;
pub use san::SanError;
pub use san_parts::{San, SanMove};
pub use setup::{Dropped, IllegalPosition, Setup, Validated};
pub use square::{File, Rank, Square};
pub use uci::{UciMove, UciMoveError};

/// The types that a program shares between its threads.
const _: () = {
    const fn send_and_sync<T: Send + Sync>() {}
    send_and_sync::<Position>();
    send_and_sync::<Setup>();
    send_and_sync::<Game>();
    send_and_sync::<MoveList>();
    send_and_sync::<SanError>();
    send_and_sync::<FenError>();
};
