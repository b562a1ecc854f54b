//! What a FEN says, before anyone asks whether it is legal.

use crate::castling::CastlingSide;
use crate::color::Color;
use crate::piece::Piece;
use crate::square::Square;

/// Which castling homes a text may mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Kings castle from e1 and e8, with rooks from the corners.
    #[default]
    Standard,
    /// Kings castle from anywhere on their first rank, with any rook there (DFRC too).
    Chess960,
}

/// A castling right as a text names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingRight {
    /// `K`, `Q`: the rook furthest out on that wing.
    Outermost(Color, CastlingSide),
    /// `A` … `H`: the rook on that file.
    File(Color, u8),
}

/// The content of a FEN: well-formed, but perhaps of no game of chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub pieces: [Option<Piece>; 64],
    pub side_to_move: Color,
    pub castling_rights: Vec<CastlingRight>,
    pub en_passant: Option<Square>,
    pub halfmove_clock: u16,
    pub fullmove_number: u16,
}

impl Setup {
    /// An empty board with White to move.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            pieces: [None; 64],
            side_to_move: Color::White,
            castling_rights: Vec::new(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }
}
