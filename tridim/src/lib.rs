//! Tri-Dimensional chess after Jens Meder's tournament rules: boards, positions, legal moves of
//! pieces and of attack boards, castling with its reasons, games and a search.
//!
//! Free of input and output. `docs/tridim.md` states the rules and what
//! was decided where they are silent. Colors, pieces, claims and outcomes are those of the
//! `movegen` crate; nothing else of the standard game is used here.

mod attack_boards;
mod attacks;
mod castling;
mod castling_status;
mod game;
mod illegal_move;
mod legal_moves;
mod moves;
mod notation;
mod pin;
mod placement;
mod position;
pub mod search;
mod setup;
mod short_notation;
mod square;
mod square_set;
mod text;

pub use attack_boards::BoardMoveError;
pub use castling::{CastlingError, CastlingReason};
pub use castling_status::{CastlingStatus, Crossed, Step};
pub use game::Game;
pub use illegal_move::{AmbiguousMove, IllegalMove, MoveError};
pub use legal_moves::perft;
pub use movegen::{Claim, ClaimError, Color, Event, GamePosition, Outcome, Piece, PlayError, Role};
pub use moves::{Castling, CastlingKind, Move};
pub use notation::{NotationError, ParsedMove};
pub use pin::{Flank, Pin, PinError};
pub use placement::Placement;
pub use position::{Position, Rules};
pub use setup::{IllegalPosition, Setup};
pub use square::{Board, Column, Square, SquareError, file_letter};
pub use square_set::{SquareSet, Squares};
pub use text::{START_TEXT, TextError};
