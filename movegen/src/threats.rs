//! What a side attacks, told apart by the worth of the men that do.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::Role;
use crate::position::Position;

/// Squares that a side attacks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Threats {
    pub pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub minors: Bitboard,
    /// By those and rooks.
    pub rooks: Bitboard,
    /// By any man.
    pub all: Bitboard,
}

impl Position {
    /// What the side not to move attacks.
    #[must_use]
    pub fn threats(&self) -> Threats {
        self.threats_of(!self.side_to_move)
    }

    /// Every square a side attacks.
    #[must_use]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        self.threats_of(color).all
    }

    #[inline]
    fn threats_of(&self, color: Color) -> Threats {
        let occupied = self.occupied();
        let pawns = attacks::pawns(self.pieces(color, Role::Pawn), color);
        let mut minors = pawns | attacks::knights(self.pieces(color, Role::Knight));
        for square in self.pieces(color, Role::Bishop) {
            minors |= attacks::bishop(square, occupied);
        }
        let mut rooks = minors;
        for square in self.pieces(color, Role::Rook) {
            rooks |= attacks::rook(square, occupied);
        }
        let mut all = rooks | attacks::king(self.king(color));
        for square in self.pieces(color, Role::Queen) {
            all |= attacks::bishop(square, occupied) | attacks::rook(square, occupied);
        }
        Threats {
            pawns,
            minors,
            rooks,
            all,
        }
    }
}
