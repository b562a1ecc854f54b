//! Zobrist hashing: the random numbers and the keys made of them.

use crate::castling::CastlingRights;
use crate::piece::{Color, Piece, Role};
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
    pieces: [[u64; 64]; 12],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = {
    let mut numbers = Numbers {
        pieces: [[0; 64]; 12],
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

#[inline]
pub(crate) const fn number(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
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

/// The Zobrist keys of a position and of parts of it, the latter for tables such as correction
/// histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Pieces, side to move, castling rights, and the en passant file if a capture is legal.
    pub position: u64,
    /// Pawns of both sides.
    pub pawns: u64,
    /// Knights, bishops and kings of both sides.
    pub minors: u64,
    /// The pieces other than pawns, by color.
    pub non_pawns: [u64; 2],
}

impl Keys {
    /// Adds a piece to a square or removes it, which is the same operation.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.toggle_number(piece, number(piece, square));
    }

    /// Moves a piece.
    #[inline(always)]
    pub(crate) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.toggle_number(piece, number(piece, from) ^ number(piece, to));
    }

    /// Selects the keys by masks, since a branch on the role is mispredicted too often.
    #[inline(always)]
    fn toggle_number(&mut self, piece: Piece, number: u64) {
        let role = piece.role();
        let mask = |holds: bool| u64::from(holds).wrapping_neg();
        let pawn = mask(role == Role::Pawn);
        let minor = mask(matches!(role, Role::Knight | Role::Bishop | Role::King));
        self.position ^= number;
        self.pawns ^= number & pawn;
        self.minors ^= number & minor;
        self.non_pawns[piece.color().index()] ^= number & !pawn;
    }
}
