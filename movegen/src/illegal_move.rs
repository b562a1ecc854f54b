//! The reasons a move is illegal, whether it was given in UCI or SAN.
//!
//! The first obstacle is reported, in this order: how the piece moves, what blocks it, what it
//! captures, and the safety of the king.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::{CastlingError, CastlingSide};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::{Rank, Square};
use thiserror::Error;

/// The reason a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages are the documentation")]
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
    #[error("the {} on {from} cannot move to {to}: {square} is occupied", role.name())]
    Blocked {
        role: Role,
        from: Square,
        to: Square,
        /// The first occupied square on the way; for a pawn possibly the destination.
        square: Square,
    },
    #[error("the pawn on {from} moves to {to} only by capturing, and {to} is empty")]
    NothingToCapture { from: Square, to: Square },
    #[error("the pawn on {0} cannot be captured en passant: it has not just moved two squares")]
    NoEnPassant(Square),
    #[error("a {} cannot promote from {from} to {to}", role.name())]
    InvalidPromotion {
        role: Role,
        from: Square,
        to: Square,
    },
    #[error("the pawn on {0} promotes; add the new piece: q, r, b or n")]
    MissingPromotion(Square),
    #[error("on {to} the king would be in check from {attacker}")]
    KingAttacked { to: Square, attacker: Square },
    #[error("the king is in check from {0}, and this move does not resolve it")]
    InCheck(Square),
    #[error("the king is in check from {} and {}; only the king can move", .0[0], .0[1])]
    DoubleCheck([Square; 2]),
    #[error("the {} on {square} is pinned to its king by the piece on {pinner}", role.name())]
    Pinned {
        role: Role,
        square: Square,
        pinner: Square,
    },
    #[error("capturing en passant would leave the king in check from {0}")]
    EnPassantCheck(Square),
    #[error(transparent)]
    Castling(#[from] CastlingError),
    #[error("castling is written {}", .0.san())]
    CastlingAsKingMove(CastlingSide),
}

/// The text of a move as an error quotes it, truncated if it is long.
pub(crate) fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 16;
    text.chars().take(MAX_CHARS).collect()
}

impl IllegalMove {
    /// The piece's closeness to making the move: 0 if it does not move that way, 1 if it is blocked
    /// or has nothing to capture, 2 otherwise.
    pub(crate) fn closeness(self) -> u8 {
        match self {
            Self::Unreachable { .. } => 0,
            Self::Blocked { .. } | Self::NothingToCapture { .. } | Self::NoEnPassant(_) => 1,
            _ => 2,
        }
    }
}

impl Position {
    /// The reason the side to move cannot make this move with its piece. The move must be
    /// illegal, and neither castling nor an invalid promotion.
    #[cold]
    pub(crate) fn why_illegal(&self, role: Role, from: Square, to: Square) -> IllegalMove {
        if self.side(self.side_to_move).has(to) {
            return IllegalMove::OwnPiece(to);
        }
        if !self.targets(self.side_to_move, role, from).has(to) {
            return self.why_unreachable(role, from, to);
        }
        let exposed = match role {
            Role::King => self.why_king_cannot_step(from, to),
            _ => self.why_king_is_exposed(role, from, to),
        };
        exposed.unwrap_or(match role {
            Role::Pawn => IllegalMove::MissingPromotion(from),
            _ => IllegalMove::Unreachable { role, from, to },
        })
    }

    fn why_unreachable(&self, role: Role, from: Square, to: Square) -> IllegalMove {
        let way = match role {
            Role::Pawn if attacks::pawn(from, self.side_to_move).has(to) => {
                return self.why_no_pawn_capture(from, to);
            }
            Role::Pawn => self.pawn_way(from, to),
            Role::Bishop if attacks::bishop(from, Bitboard::EMPTY).has(to) => {
                attacks::between(from, to)
            }
            Role::Rook if attacks::rook(from, Bitboard::EMPTY).has(to) => {
                attacks::between(from, to)
            }
            Role::Queen if attacks::queen(from, Bitboard::EMPTY).has(to) => {
                attacks::between(from, to)
            }
            _ => Bitboard::EMPTY,
        };
        let blockers = way & self.occupied();
        let first = if to > from {
            blockers.first()
        } else {
            blockers.last()
        };
        match first {
            Some(square) => IllegalMove::Blocked {
                role,
                from,
                to,
                square,
            },
            None => IllegalMove::Unreachable { role, from, to },
        }
    }

    /// The squares that must be empty for a pawn to move straight ahead.
    fn pawn_way(&self, from: Square, to: Square) -> Bitboard {
        let us = self.side_to_move;
        let single = Bitboard::of(from).forward(us);
        let double = (single & Bitboard::rank(Rank::Third.relative(us))).forward(us);
        if single.has(to) {
            single
        } else if double.has(to) {
            single | double
        } else {
            Bitboard::EMPTY
        }
    }

    /// The reason a pawn cannot move diagonally to an empty square.
    fn why_no_pawn_capture(&self, from: Square, to: Square) -> IllegalMove {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let captured = (Bitboard::of(to) & Bitboard::rank(Rank::Sixth.relative(us))).forward(them)
            & self.pieces(them, Role::Pawn);
        let Some(square) = captured.first() else {
            return IllegalMove::NothingToCapture { from, to };
        };
        // The position has an en passant square only if a capture is legal, so an exposed king is
        // looked for first.
        let king = self.king(us);
        let occupied = self.occupied() ^ Bitboard::of(from) ^ captured ^ Bitboard::of(to);
        let attackers = self.attackers_to(king, occupied) & self.side(them) & !captured;
        let Some(attacker) = attackers.first() else {
            return IllegalMove::NoEnPassant(square);
        };
        let reason = if (attackers & self.checkers()).any() {
            self.why_in_check()
        } else {
            self.why_pinned(Role::Pawn, from, to)
        };
        reason.unwrap_or(IllegalMove::EnPassantCheck(attacker))
    }

    fn why_king_cannot_step(&self, from: Square, to: Square) -> Option<IllegalMove> {
        let without_king = self.occupied() ^ Bitboard::of(from);
        let attackers = self.attackers_to(to, without_king) & self.side(!self.side_to_move);
        let attacker = attackers.first()?;
        Some(IllegalMove::KingAttacked { to, attacker })
    }

    fn why_king_is_exposed(&self, role: Role, from: Square, to: Square) -> Option<IllegalMove> {
        if self.checks.check_mask.has(to) {
            self.why_pinned(role, from, to)
        } else {
            self.why_in_check()
        }
    }

    fn why_in_check(&self) -> Option<IllegalMove> {
        let (first, last) = (self.checkers().first()?, self.checkers().last()?);
        Some(if first == last {
            IllegalMove::InCheck(first)
        } else {
            IllegalMove::DoubleCheck([first, last])
        })
    }

    fn why_pinned(&self, role: Role, from: Square, to: Square) -> Option<IllegalMove> {
        let king = self.king(self.side_to_move);
        let line = attacks::line(from, king);
        if line.has(to) || !self.pinned().has(from) {
            return None;
        }
        let without = self.occupied() ^ Bitboard::of(from);
        let pinner = self.attackers_to(king, without) & self.side(!self.side_to_move) & line;
        Some(IllegalMove::Pinned {
            role,
            square: from,
            pinner: pinner.first()?,
        })
    }
}
