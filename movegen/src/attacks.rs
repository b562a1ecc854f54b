//! Attacks of each role from the geometry of the board alone: no side to move, no castling, no
//! legality.
//!
//! ```
//! use movegen::{Bitboard, Color, Piece, Square, attacks};
//!
//! let blocker = Bitboard::of(Square::A4);
//! let rook = attacks::rook(Square::A1, blocker);
//! assert_eq!(rook.count(), 3 + 7);
//! assert!(rook.has(Square::A4) && !rook.has(Square::A5));
//! assert_eq!(attacks::knight(Square::A1), Bitboard::of(Square::B3) | Bitboard::of(Square::C2));
//! assert_eq!(attacks::pawn(Square::H4, Color::Black), Bitboard::of(Square::G3));
//! assert_eq!(attacks::of(Piece::WhiteRook, Square::A1, blocker), rook);
//! assert_eq!(attacks::between(Square::A1, Square::C3), Bitboard::of(Square::B2));
//! ```

#[cfg(target_arch = "x86_64")]
mod fill;
mod magics;
mod rays;
mod sliders;

#[cfg(target_arch = "x86_64")]
pub(crate) use fill::fill;
pub use rays::between;
pub(crate) use rays::{diagonals, line, lines, orthogonals};

use crate::bitboard::Bitboard;
use crate::piece::{Color, Piece, Role};
use crate::square::Square;

/// The squares attacked by a rook on `square`, given the occupied squares.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    if cfg!(feature = "compact") {
        rays::rook(square, occupied)
    } else {
        sliders::rook(square, occupied)
    }
}

/// The squares attacked by a bishop on `square`, given the occupied squares.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    if cfg!(feature = "compact") {
        rays::bishop(square, occupied)
    } else {
        sliders::bishop(square, occupied)
    }
}

/// The squares attacked by a queen on `square`, given the occupied squares.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares attacked by a piece on `square`, given the occupied squares.
#[inline(always)]
pub fn of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.role() {
        Role::Pawn => pawn(square, piece.color()),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares attacked by sets of rooks and bishops, queens being in both, given the occupied
/// squares.
#[inline(always)]
pub(crate) fn sliders(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    let orthogonal = orthogonal.into_iter().map(|from| rook(from, occupied));
    let diagonal = diagonal.into_iter().map(|from| bishop(from, occupied));
    let attacked = orthogonal.fold(Bitboard::EMPTY, |attacked, set| attacked | set);
    diagonal.fold(attacked, |attacked, set| attacked | set)
}

/// The squares attacked by a set of knights.
#[inline]
pub const fn knights(set: Bitboard) -> Bitboard {
    let one = set.east().0 | set.west().0;
    let two = set.east().east().0 | set.west().west().0;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The squares attacked by a set of pawns.
#[inline]
pub const fn pawns(set: Bitboard, color: Color) -> Bitboard {
    let ahead = set.forward(color);
    Bitboard(ahead.east().0 | ahead.west().0)
}

/// The squares adjacent to a set, without the set itself.
#[inline]
pub const fn kings(set: Bitboard) -> Bitboard {
    let row = Bitboard(set.0 | set.east().0 | set.west().0);
    Bitboard((row.0 | row.0 << 8 | row.0 >> 8) & !set.0)
}

static KNIGHT: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = knights(Bitboard(1 << index));
        index += 1;
    }
    table
};

static KING: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = kings(Bitboard(1 << index));
        index += 1;
    }
    table
};

static PAWN: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut index = 0;
    while index < 64 {
        table[0][index] = pawns(Bitboard(1 << index), Color::White);
        table[1][index] = pawns(Bitboard(1 << index), Color::Black);
        index += 1;
    }
    table
};

/// The squares attacked by a knight on `square`.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares attacked by a king on `square`.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares attacked by a pawn of `color` on `square`.
#[inline]
pub fn pawn(square: Square, color: Color) -> Bitboard {
    PAWN[color.index()][square.index()]
}
