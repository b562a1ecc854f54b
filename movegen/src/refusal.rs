//! From what a person or program asked for (from here to there) to a legal move, or the
//! reason in words why there is none.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingError, CastlingSide};
use crate::color::Color;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;
use thiserror::Error;

/// Why a move is not legal here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    #[error("there is nothing on {0} to move")]
    EmptySquare(Square),
    #[error("the {} on {square} is not {mover}'s to move", man.role().name())]
    NotYourPiece {
        man: Piece,
        square: Square,
        mover: Color,
    },
    #[error("{0} is taken by a man of the same side")]
    OwnPiece(Square),
    #[error("a {} on {from} does not go to {to}", role.name())]
    Unreachable {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("the pawn on {0} reaches the last rank: say what it becomes (q, r, b or n)")]
    MissingPromotion(Square),
    #[error("a {} cannot promote from {from} to {to}", role.name())]
    InvalidPromotion {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("the king would be attacked on {0}")]
    KingAttacked(Square),
    #[error("the king is in check from {0}, and this does not answer it")]
    InCheck(Square),
    #[error("the {} on {square} is pinned to its king", role.name())]
    Pinned { role: Role, square: Square },
    #[error(transparent)]
    Castling(#[from] CastlingError),
}

impl Position {
    /// The legal move from one square to another, promoting if said so.
    ///
    /// Castling may be asked for as the king's two steps or as the king taking its rook.
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        let mover = self.side_to_move();
        let man = self.piece_on(from).ok_or(IllegalMove::EmptySquare(from))?;
        if man.color() != mover {
            return Err(IllegalMove::NotYourPiece {
                man,
                square: from,
                mover,
            });
        }
        let role = man.role();
        if let Some(wing) = self.castling_meant(role, from, to, promotion) {
            let castle = self.castling_move(wing)?;
            // Another rook of that wing, further out, has no right to castle.
            let another = castle.to() != to && self.pieces(mover, Role::Rook).has(to);
            return if another {
                Err(CastlingError::NoRight(wing).into())
            } else {
                Ok(castle)
            };
        }
        let reaches_last_rank = Bitboard::relative_rank(mover, 7).has(to);
        let mv = match promotion {
            Some(promotion) if role == Role::Pawn && reaches_last_rank => {
                Move::promotion(from, to, promotion)
            }
            Some(_) => return Err(IllegalMove::InvalidPromotion { role, from, to }),
            None if role == Role::Pawn
                && self.en_passant() == Some(to)
                && attacks::pawn(from, mover).has(to) =>
            {
                Move::en_passant(from, to)
            }
            None => Move::normal(from, to),
        };
        if self.is_legal(mv) {
            return Ok(mv);
        }
        Err(self.why_illegal(role, from, to, promotion))
    }

    /// The wing a king's move to `to` castles on, if castling is what it means. A plain step
    /// of the king comes first where both are possible (Chess960).
    fn castling_meant(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<CastlingSide> {
        if role != Role::King || promotion.is_some() {
            return None;
        }
        if self.pieces(self.side_to_move(), Role::Rook).has(to) && from.rank() == to.rank() {
            return Some(CastlingSide::of(from, to));
        }
        if attacks::king(from).has(to) || from == to {
            return None;
        }
        CastlingSide::ALL
            .into_iter()
            .find(|wing| to == wing.king_target(self.side_to_move()) && from.rank() == to.rank())
    }

    /// The first thing wrong with a move that is known to be illegal.
    fn why_illegal(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> IllegalMove {
        let mover = self.side_to_move();
        if self.side(mover).has(to) {
            return IllegalMove::OwnPiece(to);
        }
        if !self.reach(role, from).has(to) {
            return IllegalMove::Unreachable { role, from, to };
        }
        if role == Role::King {
            return IllegalMove::KingAttacked(to);
        }
        if role == Role::Pawn && promotion.is_none() && Bitboard::BACK_RANKS.has(to) {
            return IllegalMove::MissingPromotion(from);
        }
        if self.pinned().has(from) {
            return IllegalMove::Pinned { role, square: from };
        }
        match self.checkers().first() {
            Some(checker) => IllegalMove::InCheck(checker),
            None => IllegalMove::Unreachable { role, from, to },
        }
    }

    /// Where a man of the side to move goes when checks and pins are not asked about.
    fn reach(&self, role: Role, from: Square) -> Bitboard {
        let mover = self.side_to_move();
        let occupied = self.occupied();
        match role {
            Role::Pawn => {
                let single = Bitboard::of(from).forward(mover) & !occupied;
                let third = Bitboard::relative_rank(mover, 2);
                let double = (single & third).forward(mover) & !occupied;
                single | double | attacks::pawn(from, mover) & self.side(!mover)
            }
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, occupied),
            Role::Rook => attacks::rook(from, occupied),
            Role::Queen => attacks::queen(from, occupied),
            Role::King => attacks::king(from),
        }
    }
}
