//! A position: boards and pieces, the side to move, rights and clocks; making moves.

use movegen::{Color, Piece, Role};

use crate::moves::Move;
use crate::pin::Pin;
use crate::placement::{Placement, zobrist_rotation, zobrist_side_to_move, zobrist_state};
use crate::square::Square;
use crate::square_set::SquareSet;

/// Optional rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Attack boards may rotate in place by 180 degrees.
    pub rotation: bool,
}

/// A legal position. Playing a move returns a new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(crate) placement: Placement,
    pub(crate) side_to_move: Color,
    /// Kings, rooks and pawns that have not moved or been carried.
    pub(crate) unmoved: SquareSet,
    /// The pawn that has just made a double step, when capturing it en passant is legal.
    pub(crate) en_passant: Option<Square>,
    pub(crate) halfmove_clock: u16,
    pub(crate) move_number: u16,
    /// The board the side to move has activated: its move must be a move of this board.
    pub(crate) activated: Option<Pin>,
    pub(crate) rules: Rules,
}

impl Position {
    pub const fn placement(&self) -> &Placement {
        &self.placement
    }

    pub const fn rules(&self) -> Rules {
        self.rules
    }

    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.placement.piece_on(square)
    }

    /// True if the king, rook or pawn on a square has not moved or been carried.
    pub const fn is_unmoved(&self, square: Square) -> bool {
        self.unmoved.has(square)
    }

    /// The pawn that can be captured en passant.
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// 1 for the first move of both sides.
    pub const fn move_number(&self) -> u16 {
        self.move_number
    }

    /// The board the side to move has activated.
    pub const fn activated_board(&self) -> Option<Pin> {
        self.activated
    }

    /// The waiting pawn: the side to move must promote it before its move.
    pub fn pending_promotion(&self) -> Option<Square> {
        self.placement.promotable_pawn(self.side_to_move)
    }

    /// The pieces that check the side to move.
    pub fn checkers(&self) -> SquareSet {
        self.placement.checkers(self.side_to_move)
    }

    /// The unmoved pieces that matter: pawns for their double step, and king and rooks when
    /// castling with them is still possible.
    pub(crate) fn rights(&self) -> SquareSet {
        let unmoved = |side, role| self.unmoved & self.placement.pieces(side, role);
        let rights = |side| {
            if unmoved(side, Role::King).any() {
                unmoved(side, Role::Pawn) | unmoved(side, Role::Rook)
            } else {
                unmoved(side, Role::Pawn)
            }
        };
        rights(Color::White) | rights(Color::Black)
    }

    /// The hash key; equal where [`same_position`](crate::GamePosition::same_position) is true
    /// under the same rules.
    pub fn key(&self) -> u64 {
        self.placement.key()
            ^ zobrist_side_to_move(self.side_to_move)
            ^ zobrist_state(self.rights(), self.en_passant)
            ^ zobrist_rotation(self.rules.rotation)
    }

    /// The position after a legal move.
    ///
    /// An illegal move gives a meaningless position, but does not panic; see `is_legal`.
    pub fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.after(mv);
        next.clear_unusable_en_passant();
        next
    }

    /// The position after a move, with the en passant square set after every double step.
    pub(crate) fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.en_passant = None;
        next.activated = None;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        match mv {
            Move::Piece {
                from,
                to,
                promotion,
            } => next.move_piece(self.en_passant, from, to, promotion),
            Move::Board {
                from,
                to,
                promotion,
            } => {
                next.unmoved &= !SquareSet::of_pin(from);
                next.placement.move_board(from, to);
                if let Some(role) = promotion
                    && let Some(pawn) = next.placement.promotable_pawn(self.side_to_move)
                {
                    next.promote_pawn(pawn, role);
                }
            }
            Move::Castle(castling) => {
                next.unmoved &= !castling.squares();
                next.placement.castle(castling);
            }
            Move::Promotion { pawn, role } => {
                next.promote_pawn(pawn, role);
                return next;
            }
        }
        if self.side_to_move == Color::Black {
            next.move_number = self.move_number.saturating_add(1);
        }
        next.side_to_move = !self.side_to_move;
        next
    }

    fn move_piece(
        &mut self,
        en_passant: Option<Square>,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) {
        let Some(piece) = self.placement.take(from) else {
            return;
        };
        self.unmoved &= !(SquareSet::of(from) | SquareSet::of(to));
        let captured = self.placement.take(to);
        self.placement.put(piece, to);
        if captured.is_some() {
            self.halfmove_clock = 0;
        }
        if piece.role() != Role::Pawn {
            return;
        }
        self.halfmove_clock = 0;
        if from.file() != to.file()
            && captured.is_none()
            && let Some(passed) = en_passant
        {
            self.placement.take(passed);
            self.unmoved &= !SquareSet::of(passed);
        }
        if from.rank().abs_diff(to.rank()) == 2 {
            self.en_passant = Some(to);
        }
        if let Some(role) = promotion {
            self.promote_pawn(to, role);
        }
    }

    fn promote_pawn(&mut self, pawn: Square, role: Role) {
        self.placement.promote(pawn, role);
        self.unmoved &= !SquareSet::of(pawn);
        self.halfmove_clock = 0;
    }

    /// Clears the en passant square when no legal capture exists.
    pub(crate) fn clear_unusable_en_passant(&mut self) {
        if self.en_passant.is_some() && !self.can_capture_en_passant() {
            self.en_passant = None;
        }
    }

    fn can_capture_en_passant(&self) -> bool {
        let pawns = self.placement.pieces(self.side_to_move, Role::Pawn);
        pawns.into_iter().any(|from| {
            let landings = self.targets(from) & !self.placement.occupied();
            landings
                .into_iter()
                .filter(|to| to.file() != from.file())
                .any(|to| {
                    self.leaves_king_safe(Move::Piece {
                        from,
                        to,
                        promotion: None,
                    })
                })
        })
    }

    /// The position with no board activated.
    pub fn release(&self) -> Self {
        Self {
            activated: None,
            ..*self
        }
    }
}
