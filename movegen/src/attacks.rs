//! Which squares a man attacks, from the board's geometry alone.
//!
//! Nothing here knows about sides to move, castling or legality.

mod leapers;
mod magics;
mod rays;
pub(crate) mod sliders;

pub use leapers::{king, kings, knight, knights, pawn, pawns};
pub use rays::{between, bishop_by_lines, line, rook_by_lines};

use crate::bitboard::Bitboard;
use crate::square::Square;
use sliders::{Lookup, Magic};

/// What a rook on `square` attacks when `occupied` squares block.
#[must_use]
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Magic.rook(square, occupied)
}

/// What a bishop on `square` attacks when `occupied` squares block.
#[must_use]
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Magic.bishop(square, occupied)
}

/// What a queen on `square` attacks when `occupied` squares block.
#[must_use]
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}
