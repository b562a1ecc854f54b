//! Zobrist hashing: the random numbers that position keys are made of.

use crate::castling::CastlingRights;
use crate::piece::{Color, Piece};
use crate::square::Square;

/// The next state and number of a SplitMix64 sequence.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, mixed ^ mixed >> 31)
}

struct Numbers {
    /// The last row, of no piece, is zero.
    pieces: [[u64; 64]; 13],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = {
    let mut numbers = Numbers {
        pieces: [[0; 64]; 13],
        castling: [0; 64],
        en_passant: [0; 8],
        black_to_move: 0,
    };
    let mut state = 0x6361_7374_656c_6c61;
    let mut square = 0;
    while square < 64 {
        let mut piece = 0;
        while piece < 12 {
            (state, numbers.pieces[piece][square]) = next(state);
            piece += 1;
        }
        (state, numbers.castling[square]) = next(state);
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        (state, numbers.en_passant[file]) = next(state);
        file += 1;
    }
    (_, numbers.black_to_move) = next(state);
    numbers
};

impl Piece {
    /// The Zobrist number of this piece on a square.
    ///
    /// A position's key is the XOR of these numbers and of those for side to move, castling rights
    /// and en passant. Use them for keys of parts of a position, such as its pawns.
    #[inline]
    pub const fn zobrist(self, square: Square) -> u64 {
        NUMBERS.pieces[self.index()][square.index()]
    }
}

/// The number of a square's contents, 0 for no piece.
#[inline(always)]
pub(crate) fn contents(piece: Option<Piece>, square: Square) -> u64 {
    NUMBERS.pieces[piece.map_or(12, Piece::index)][square.index()]
}

#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    NUMBERS.en_passant[square.file().index()]
}

#[inline]
pub(crate) const fn side_to_move(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => NUMBERS.black_to_move,
    }
}

#[inline]
pub(crate) fn castling(rights: CastlingRights) -> u64 {
    rights
        .rooks()
        .into_iter()
        .fold(0, |key, rook| key ^ NUMBERS.castling[rook.index()])
}
