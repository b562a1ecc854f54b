//! Kings, knights and pawns: attacks that nothing can block.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::square::Square;

/// All of a set's knights' attacks at once.
#[must_use]
#[inline]
pub const fn knights(set: Bitboard) -> Bitboard {
    let one = set.east().0 | set.west().0;
    let two = set.east().east().0 | set.west().west().0;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// All of a set's pawns' attacks at once.
#[must_use]
#[inline]
pub const fn pawns(set: Bitboard, color: Color) -> Bitboard {
    let ahead = set.forward(color);
    Bitboard(ahead.east().0 | ahead.west().0)
}

/// The squares around a set, the set itself left out.
#[must_use]
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

#[must_use]
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

#[must_use]
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of `color` on `square` attacks.
#[must_use]
#[inline]
pub fn pawn(square: Square, color: Color) -> Bitboard {
    PAWN[color.index()][square.index()]
}
