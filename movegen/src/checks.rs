//! Who gives check, who is pinned, and where a check can be met.

use crate::attacks;
use crate::attacks::sliders::Lookup;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::Side;
use crate::piece::Role;

/// What restrains the side to move, found once for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Checks {
    /// Enemy men that attack the king.
    pub(crate) checkers: Bitboard,
    /// Where a man other than the king may go as far as checks matter: anywhere when there
    /// is none, onto the checker or between when there is one, nowhere when there are two.
    pub(crate) check_mask: Bitboard,
    /// Files and ranks from the king through a man of its own to the slider that pins it.
    pub(crate) orthogonal_pins: Bitboard,
    /// Diagonals likewise.
    pub(crate) diagonal_pins: Bitboard,
}

impl Checks {
    #[inline(always)]
    pub(crate) fn find<Us: Side, L: Lookup>(board: &Board, lookup: L) -> Self {
        let them = Us::Them::COLOR;
        let king = board.king(Us::COLOR);
        let ours = board.side(Us::COLOR);
        let theirs = board.side(them);
        let mut checkers = attacks::knight(king) & board.pieces(them, Role::Knight)
            | attacks::pawn(king, Us::COLOR) & board.pieces(them, Role::Pawn);
        let mut met = checkers;
        let mut pins = [Bitboard::EMPTY; 2];
        // Only enemy men block here: what remains in sight has at most our men in between.
        let snipers = [
            lookup.rook(king, theirs) & board.orthogonal(them),
            lookup.bishop(king, theirs) & board.diagonal(them),
        ];
        for (pin_lines, mut snipers) in pins.iter_mut().zip(snipers) {
            while snipers.any() {
                let sniper = snipers.lowest();
                let between = attacks::between(king, sniper);
                let shields = between & ours;
                if shields.is_empty() {
                    checkers |= Bitboard::of(sniper);
                    met |= between | Bitboard::of(sniper);
                } else if !shields.many() {
                    *pin_lines |= between | Bitboard::of(sniper);
                }
                snipers = snipers.without_lowest();
            }
        }
        let check_mask = if checkers.is_empty() {
            Bitboard::FULL
        } else if checkers.many() {
            Bitboard::EMPTY
        } else {
            met
        };
        let [orthogonal_pins, diagonal_pins] = pins;
        Self {
            checkers,
            check_mask,
            orthogonal_pins,
            diagonal_pins,
        }
    }
}
