//! En passant captures in detail: what is known of the captured pawn, and what exposes the king.

use crate::attackers::Attackers;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::illegal_move::IllegalMove;
use crate::piece::Role;
use crate::pins::Pin;
use crate::played_move::PlayedMove;
use crate::position::Position;
use crate::square::{Rank, Square};
use alloc::vec::Vec;

/// The legality of an en passant capture, and everything against it; see
/// [`Position::en_passant_report`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EnPassantReport {
    /// The square of the capturing pawn.
    pub from: Square,
    /// The square it moves to.
    pub to: Square,
    /// The square of the pawn that would be captured.
    pub captured: Square,
    /// True if that pawn has just moved two squares. `None` if it is not known: a position keeps an
    /// en passant square only where a capture is legal. A [`Game`](crate::Game) with moves knows
    /// it.
    pub double_step: Option<bool>,
    /// The move that brought the pawn there, if a game tells.
    pub came_with: Option<PlayedMove>,
    /// The pieces that give check, if the capture does not resolve it.
    pub checkers: Attackers,
    /// The pin that the capture disregards.
    pub pin: Option<Pin>,
    /// The other pieces that attack the king once both pawns have left their squares.
    pub exposed_to: Attackers,
}

impl EnPassantReport {
    /// Every reason why the capture is illegal; none if it is legal.
    pub fn errors(&self) -> Vec<IllegalMove> {
        let no_double_step = IllegalMove::NoEnPassant {
            pawn: self.captured,
            came_with: self.came_with,
        };
        let exposed = self.exposed_to.squares().any();
        let reasons = [
            (self.double_step == Some(false)).then_some(no_double_step),
            IllegalMove::in_check(self.checkers),
            self.pin.map(IllegalMove::Pinned),
            exposed.then_some(IllegalMove::EnPassantCheck(self.exposed_to)),
        ];
        reasons.into_iter().flatten().collect()
    }
}

impl Position {
    /// The legality of an en passant capture from `from` to `to`, and everything against it. `None`
    /// unless it attacks that square, which is empty, and an enemy pawn stands behind it.
    ///
    /// ```
    /// use movegen::{Position, Square};
    ///
    /// let position: Position = "8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1".parse()?;
    /// let report = position.en_passant_report(Square::D5, Square::E6).expect("a pawn beside");
    /// assert_eq!((report.captured, report.pin), (Square::E5, None));
    /// assert_eq!(report.exposed_to.to_string(), "the rook on h5");
    /// assert_eq!(
    ///     report.errors()[0].to_string(),
    ///     "capturing en passant would leave the king in check from the rook on h5",
    /// );
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    pub fn en_passant_report(&self, from: Square, to: Square) -> Option<EnPassantReport> {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let passed = Bitboard::of(to) & Bitboard::rank(Rank::Sixth.relative(us)) & !self.occupied();
        let captured = (passed.forward(them) & self.pieces(them, Role::Pawn)).first()?;
        if !self.pieces(us, Role::Pawn).has(from) || !attacks::pawn(from, us).has(to) {
            return None;
        }
        let pawns = Bitboard::of(from) | Bitboard::of(captured);
        let occupied = self.occupied() & !pawns | Bitboard::of(to);
        let attackers = self.attackers_to(self.king(us), occupied) & self.by_color(them) & !pawns;
        let pin = self.broken_pin(from, to);
        let pinner = pin.map_or(Bitboard::EMPTY, |pin| Bitboard::of(pin.pinner.square));
        let remains = (attackers & self.checkers()).any();
        let double_step = if self.en_passant() == Some(to) {
            Some(true)
        } else {
            // With no danger to the king the position would have kept the square.
            attackers.is_empty().then_some(false)
        };
        Some(EnPassantReport {
            from,
            to,
            captured,
            double_step,
            came_with: None,
            checkers: if remains {
                self.named(self.checkers())
            } else {
                Attackers::default()
            },
            pin,
            exposed_to: self.named(attackers & !self.checkers() & !pinner),
        })
    }
}
