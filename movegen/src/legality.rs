//! Legality of a single move without generating moves: whether any sixteen bits are a legal move
//! here, the legal move from one square to another, and why there is none.

use crate::attacks;
use crate::attacks::sliders::Magic;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingError, CastlingSide};
use crate::movegen;
use crate::moves::{Move, MoveKind};
use crate::piece::{Black, Color, Piece, Role, StaticColor, White};
use crate::position::Position;
use crate::square::{Rank, Square};
use thiserror::Error;

/// Why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    #[error("there is no piece on {0}")]
    EmptySquare(Square),
    #[error("the {} on {square} belongs to {}; {} is to move", piece.role().name(), piece.color(), !piece.color())]
    NotYourPiece { piece: Piece, square: Square },
    #[error("{0} is occupied by a piece of the same color")]
    OwnPiece(Square),
    #[error("a {} on {from} cannot move to {to}", role.name())]
    Unreachable {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("the pawn on {0} promotes; add the new piece: q, r, b or n")]
    MissingPromotion(Square),
    #[error("a {} cannot promote from {from} to {to}", role.name())]
    InvalidPromotion {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("the king would be in check on {0}")]
    KingAttacked(Square),
    #[error("the king is in check from {0}, and this move does not resolve it")]
    InCheck(Square),
    #[error("the {} on {square} is pinned to its king", role.name())]
    Pinned { role: Role, square: Square },
    #[error(transparent)]
    Castling(#[from] CastlingError),
}

/// The text of a move as an error repeats it, cut if it is long.
pub(crate) fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 16;
    text.chars().take(MAX_CHARS).collect()
}

impl Position {
    /// Whether exactly this move, its kind included, is legal.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move {
            Color::White => self.is_legal_for::<White>(mv),
            Color::Black => self.is_legal_for::<Black>(mv),
        }
    }

    fn is_legal_for<Us: StaticColor>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self
            .piece_on(from)
            .filter(|piece| piece.color() == Us::COLOR)
        else {
            return false;
        };
        let role = piece.role();
        let on_last_rank = Bitboard::rank(Rank::Eighth.relative(Us::COLOR)).has(to);
        match mv.kind() {
            MoveKind::Castling => {
                role == Role::King && self.castling_move(CastlingSide::of(from, to)) == Ok(mv)
            }
            MoveKind::EnPassant => {
                self.board.en_passant.has(to) && self.is_legal_en_passant::<Us>(mv)
            }
            MoveKind::Promotion(_) => {
                role == Role::Pawn
                    && on_last_rank
                    && self.targets(Us::COLOR, Role::Pawn, from).has(to)
                    && self.respects_checks_and_pins(from, to)
            }
            MoveKind::Normal if self.side(Us::COLOR).has(to) => false,
            MoveKind::Normal => match role {
                Role::King => {
                    let without_king = self.occupied() ^ Bitboard::of(from);
                    let target = attacks::king(from) & Bitboard::of(to);
                    self.board
                        .safe_for_king::<Us, _>(Magic, target, without_king)
                        .any()
                }
                Role::Pawn if on_last_rank => false,
                _ => {
                    self.targets(Us::COLOR, role, from).has(to)
                        && self.respects_checks_and_pins(from, to)
                }
            },
        }
    }

    /// Out of line to keep `is_legal` small.
    #[inline(never)]
    fn is_legal_en_passant<Us: StaticColor>(&self, mv: Move) -> bool {
        movegen::en_passant::<Us, _>(&self.board, Magic).contains(&Some(mv))
    }

    /// The destinations of a piece of `us`, ignoring its own pieces, checks, pins and special moves.
    #[inline(always)]
    fn targets(&self, us: Color, role: Role, from: Square) -> Bitboard {
        let occupied = self.occupied();
        match role {
            Role::Pawn => {
                let single = Bitboard::of(from).forward(us) & !occupied;
                let double =
                    (single & Bitboard::rank(Rank::Third.relative(us))).forward(us) & !occupied;
                single | double | attacks::pawn(from, us) & self.side(!us)
            }
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, occupied),
            Role::Rook => attacks::rook(from, occupied),
            Role::Queen => attacks::queen(from, occupied),
            Role::King => attacks::king(from),
        }
    }

    /// Whether a piece other than the king resolves the check, if any, and stays on its pin line.
    fn respects_checks_and_pins(&self, from: Square, to: Square) -> bool {
        let in_line = attacks::line(from, self.king(self.side_to_move)).has(to);
        self.checks.check_mask.has(to) && (in_line || !self.pinned().has(from))
    }

    /// The legal move from one square to another, promoting to `promotion` if given.
    ///
    /// Castling is accepted both as the king's two steps and as the king moving to its rook.
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        let us = self.side_to_move;
        let piece = self.piece_on(from).ok_or(IllegalMove::EmptySquare(from))?;
        if piece.color() != us {
            return Err(IllegalMove::NotYourPiece {
                piece,
                square: from,
            });
        }
        let role = piece.role();
        if let Some(side) = self.castling_side(role, from, to, promotion) {
            let mv = self.castling_move(side)?;
            // The rook on `to` may be another one, further out and without the right.
            return if mv.to() != to && self.pieces(us, Role::Rook).has(to) {
                Err(CastlingError::NoRight { color: us, side }.into())
            } else {
                Ok(mv)
            };
        }
        let reaches_last_rank = Bitboard::rank(Rank::Eighth.relative(us)).has(to);
        let mv = match promotion {
            Some(promotion) if role == Role::Pawn && reaches_last_rank => {
                Move::promotion(from, to, promotion)
            }
            Some(_) => return Err(IllegalMove::InvalidPromotion { role, from, to }),
            None if role == Role::Pawn
                && self.en_passant() == Some(to)
                && attacks::pawn(from, us).has(to) =>
            {
                Move::en_passant(from, to)
            }
            None => Move::normal(from, to),
        };
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(self.why_illegal(role, from, to, promotion))
        }
    }

    /// The side a king move castles to, if it means castling. Where a king step and castling have
    /// the same squares (Chess960), the step takes precedence.
    fn castling_side(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<CastlingSide> {
        if role != Role::King || promotion.is_some() || from.rank() != to.rank() {
            return None;
        }
        if self.pieces(self.side_to_move, Role::Rook).has(to) {
            return Some(CastlingSide::of(from, to));
        }
        if attacks::king(from).has(to) || from == to {
            return None;
        }
        CastlingSide::ALL
            .into_iter()
            .find(|side| to == side.king_target(self.side_to_move))
    }

    /// The first reason why a move that is known to be illegal is illegal.
    fn why_illegal(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> IllegalMove {
        if self.side(self.side_to_move).has(to) {
            return IllegalMove::OwnPiece(to);
        }
        if !self.targets(self.side_to_move, role, from).has(to) {
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
}
