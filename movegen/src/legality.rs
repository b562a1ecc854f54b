//! Is this stray move legal here? Moves come from tables and from outside; any sixteen bits
//! are answered, without generating.

use crate::attacks;
use crate::attacks::sliders::Magic;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::color::{Black, Color, Side, White};
use crate::movegen;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

impl Position {
    /// Whether the side to move may play `mv`, written exactly so (its kind included).
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move {
            Color::White => self.is_legal_as::<White>(mv),
            Color::Black => self.is_legal_as::<Black>(mv),
        }
    }

    fn is_legal_as<Us: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(man) = self.piece_on(from).filter(|man| man.color() == Us::COLOR) else {
            return false;
        };
        let on_last_rank = Bitboard::relative_rank(Us::COLOR, 7).has(to);
        match mv.kind() {
            MoveKind::Castling => {
                man.role() == Role::King && self.castling_move(CastlingSide::of(from, to)) == Ok(mv)
            }
            MoveKind::EnPassant => {
                self.board.en_passant.has(to)
                    && movegen::en_passant::<Us, _>(&self.board, Magic).contains(&Some(mv))
            }
            MoveKind::Promotion(_) => {
                man.role() == Role::Pawn && on_last_rank && self.pawn_may_go::<Us>(from, to)
            }
            MoveKind::Normal if self.side(Us::COLOR).has(to) => false,
            MoveKind::Normal => match man.role() {
                Role::Pawn => !on_last_rank && self.pawn_may_go::<Us>(from, to),
                Role::King => {
                    let without_king = self.occupied() ^ Bitboard::of(from);
                    let landing = attacks::king(from) & Bitboard::of(to);
                    self.board
                        .safe_for_king::<Us, _>(Magic, landing, without_king)
                        .any()
                }
                Role::Knight => attacks::knight(from).has(to) && self.unrestrained(from, to),
                Role::Bishop => {
                    attacks::bishop(from, self.occupied()).has(to) && self.unrestrained(from, to)
                }
                Role::Rook => {
                    attacks::rook(from, self.occupied()).has(to) && self.unrestrained(from, to)
                }
                Role::Queen => {
                    attacks::queen(from, self.occupied()).has(to) && self.unrestrained(from, to)
                }
            },
        }
    }

    /// A pawn's push or plain capture.
    fn pawn_may_go<Us: Side>(&self, from: Square, to: Square) -> bool {
        let us = Us::COLOR;
        let empty = !self.occupied();
        let single = Bitboard::of(from).forward(us) & empty;
        let double = (single & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        let captures = attacks::pawn(from, us) & self.side(!us);
        (single | double | captures).has(to) && self.unrestrained(from, to)
    }

    /// A man other than the king meets the check, if there is one, and keeps to its pin.
    fn unrestrained(&self, from: Square, to: Square) -> bool {
        let in_line = attacks::line(from, self.king(self.side_to_move)).has(to);
        self.checks.check_mask.has(to) && (in_line || !self.pinned().has(from))
    }
}
