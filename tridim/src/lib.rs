//! Tri-Dimensional chess after Jens Meder's tournament rules: the board world, positions,
//! legal moves of men and of attack boards, castling with its reasons, games, a search.
//!
//! No input or output. The rules, and what was decided where they are silent, are in
//! `docs/tridim.md`. Sides, men, claims and outcomes are those of `movegen`; nothing else of
//! the standard game is used here.

mod attacks;
mod boards;
mod castling;
pub mod cli;
mod column;
mod game;
mod generate;
mod mv;
mod notation;
mod numbers;
mod perft;
mod pin;
mod play;
mod position;
mod promotion;
mod rays;
mod refusal;
pub mod search;
mod setup;
mod square;
mod squares;
mod text;
mod validate;
mod world;

pub use boards::BoardRefusal;
pub use castling::{Castling, CastlingKind, CastlingRefusal};
pub use column::Column;
pub use game::{Claimed, Event, Game, PlayError};
pub use movegen::{Claim, ClaimError, Color, Outcome, Piece, Role};
pub use mv::Move;
pub use notation::{Asked, NotationError};
pub use perft::{divide, perft};
pub use pin::{Flank, Pin, PinError};
pub use position::{Position, Rules};
pub use refusal::{MoveRefusal, ReadError};
pub use setup::Setup;
pub use square::{Board, Square, SquareError};
pub use squares::{SquareSet, Squares};
pub use text::{START_TEXT, TextError};
pub use validate::IllegalPosition;
pub use world::World;
