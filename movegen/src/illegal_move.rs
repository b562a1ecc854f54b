//! The reasons a move is illegal, whether it was given in UCI or SAN.
//!
//! They are in this order: how the piece moves, what blocks it, what it captures, and the safety of
//! the king. A move that its piece cannot make has one reason; castling, and a move that neither
//! resolves a check nor respects a pin, can have several.

use crate::attackers::Attackers;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::castling_error::CastlingError;
use crate::piece::{Piece, Role};
use crate::pins::Pin;
use crate::played_move::PlayedMove;
use crate::position::Position;
use crate::square::{Rank, Square};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use thiserror::Error;

/// The reason a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        tag = "code",
        content = "detail",
        rename_all = "snake_case",
        rename_all_fields = "camelCase"
    )
)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum IllegalMove {
    /// No piece stands on the origin.
    #[error("there is no piece on {0}")]
    EmptySquare(Square),
    /// The piece belongs to the side that is not to move.
    #[error("the {} on {square} belongs to {}; {} is to move", piece.role().name(), piece.color(), !piece.color())]
    NotYourPiece { piece: Piece, square: Square },
    /// The destination is occupied by a piece of the same color.
    #[error("{0} is occupied by a piece of the same color")]
    OwnPiece(Square),
    /// The piece does not move that way, on an empty board either.
    #[error("a {} on {from} cannot move to {to}", role.name())]
    Unreachable {
        role: Role,
        from: Square,
        to: Square,
    },
    /// The piece moves that way, but another one is in between.
    #[error("the {} on {from} cannot move to {to}: {square} is occupied", role.name())]
    Blocked {
        role: Role,
        from: Square,
        to: Square,
        /// The first occupied square on the way; for a pawn possibly the destination.
        square: Square,
    },
    /// A pawn moves diagonally to a square with nothing to capture.
    #[error("the pawn on {from} moves to {to} only by capturing, and {to} is empty")]
    NothingToCapture { from: Square, to: Square },
    /// The pawn beside has not just moved two squares.
    #[error("the pawn on {pawn} cannot be captured en passant: it has not just moved two squares{}", there_with(*came_with))]
    NoEnPassant {
        pawn: Square,
        /// The move that brought it there, if a [`Game`](crate::Game) tells.
        came_with: Option<PlayedMove>,
    },
    /// A promotion by a piece that is not a pawn, or to a rank that is not its last.
    #[error("a {} cannot promote from {from} to {to}", role.name())]
    InvalidPromotion {
        role: Role,
        from: Square,
        to: Square,
    },
    /// The pawn promotes, and the new piece is not named.
    #[error("the pawn on {0} promotes; add the new piece: q, r, b or n")]
    MissingPromotion(Square),
    /// The king would move to an attacked square.
    #[error("on {to} the king would be in check from {attackers}")]
    KingAttacked { to: Square, attackers: Attackers },
    /// Another piece than the king moves without resolving a check.
    #[error("the king is in check from {0}, and this move does not resolve it")]
    InCheck(Attackers),
    /// Another piece than the king moves in double check.
    #[error("the king is in check from {0}; only the king can move")]
    DoubleCheck(Attackers),
    /// The piece leaves the line between its king and an enemy piece.
    #[error("{0}")]
    Pinned(Pin),
    /// The two pawns that a capture en passant removes from their squares shield the king.
    #[error("capturing en passant would leave the king in check from {0}")]
    EnPassantCheck(Attackers),
    /// A condition of castling fails.
    #[error(transparent)]
    Castling(#[from] CastlingError),
    /// Castling, written in SAN as a move of the king.
    #[error("castling is written {}", .0.san())]
    CastlingAsKingMove(CastlingSide),
}

/// Every reason a move is illegal, the first obstacle first. `{}` displays the first, which is
/// enough for a program, and `{:#}` all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reasons {
    /// In a box, so that errors stay small.
    first: Box<IllegalMove>,
    others: Vec<IllegalMove>,
}

impl Reasons {
    /// The first obstacle.
    pub fn first(&self) -> IllegalMove {
        *self.first
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = IllegalMove> {
        core::iter::once(*self.first).chain(self.others.iter().copied())
    }

    pub(crate) fn map(&self, map: impl Fn(IllegalMove) -> IllegalMove) -> Self {
        Self {
            first: map(*self.first).into(),
            others: self.others.iter().copied().map(map).collect(),
        }
    }
}

impl From<IllegalMove> for Reasons {
    fn from(first: IllegalMove) -> Self {
        Self {
            first: first.into(),
            others: Vec::new(),
        }
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        if !f.alternate() {
            return Ok(());
        }
        for reason in &self.others {
            match reason {
                // That castling is illegal is said once.
                IllegalMove::Castling(error) => write!(f, "; {}", error.detail())?,
                _ => write!(f, "; {reason}")?,
            }
        }
        Ok(())
    }
}

/// An error's message about an illegal move.
pub(crate) fn write_illegal(
    text: &str,
    reasons: &Reasons,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "illegal move '{text}': ")?;
    fmt::Display::fmt(reasons, f)
}

/// The text of a move as an error quotes it, truncated if it is long.
pub(crate) fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 16;
    text.chars().take(MAX_CHARS).collect()
}

/// The way a pawn came to its square.
fn there_with(mv: Option<PlayedMove>) -> String {
    mv.map_or_else(String::new, |mv| format!(" (it came there with {mv})"))
}

impl IllegalMove {
    /// The reason that a check is not resolved, if there is one.
    pub(crate) fn in_check(checkers: Attackers) -> Option<Self> {
        match checkers.squares().count() {
            0 => None,
            1 => Some(Self::InCheck(checkers)),
            _ => Some(Self::DoubleCheck(checkers)),
        }
    }

    /// The piece's closeness to making the move: 0 if it does not move that way, 1 if it is blocked
    /// or has nothing to capture, 2 otherwise.
    pub(crate) fn closeness(self) -> u8 {
        match self {
            Self::Unreachable { .. } => 0,
            Self::Blocked { .. } | Self::NothingToCapture { .. } | Self::NoEnPassant { .. } => 1,
            _ => 2,
        }
    }
}

impl Position {
    /// Every reason a move is illegal, named as for [`Position::find_move`]; `None` if it is legal.
    ///
    /// ```
    /// use movegen::{Position, Square};
    ///
    /// let position: Position = "4r1k1/8/8/b7/8/2N5/8/4K3 w - - 0 1".parse()?;
    /// let reasons = position.why_illegal(Square::C3, Square::D5, None).expect("an illegal move");
    /// assert_eq!(
    ///     format!("{reasons:#}"),
    ///     "the king is in check from the rook on e8, and this move does not resolve it; \
    ///      the knight on c3 is pinned to its king by the bishop on a5",
    /// );
    /// # Ok::<(), movegen::FenError>(())
    /// ```
    #[cold]
    pub fn why_illegal(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Reasons> {
        let first = self.find_move(from, to, promotion).err()?;
        let others = match (first, self.en_passant_report(from, to)) {
            (IllegalMove::Castling(error), _) => return Some(self.why_no_castling(error)),
            (_, Some(report)) if promotion.is_none() => {
                report.errors().into_iter().skip(1).collect()
            }
            (IllegalMove::InCheck(_) | IllegalMove::DoubleCheck(_), _) => {
                let pin = self.broken_pin(from, to).map(IllegalMove::Pinned);
                pin.into_iter().collect()
            }
            _ => Vec::new(),
        };
        Some(Reasons {
            first: first.into(),
            others,
        })
    }

    /// The first reason against castling to a side, and all others.
    pub(crate) fn why_no_castling(&self, first: CastlingError) -> Reasons {
        let side = match first {
            CastlingError::OtherRook { .. } => return IllegalMove::from(first).into(),
            _ => first.side(),
        };
        let errors = self.castling_report(side).errors().into_iter();
        Reasons {
            first: Box::new(first.into()),
            others: errors.skip(1).map(IllegalMove::from).collect(),
        }
    }

    /// The reason the side to move cannot make this move with its piece. The move must be
    /// illegal, and neither castling nor an invalid promotion.
    #[cold]
    pub(crate) fn why_piece_cannot_move(
        &self,
        role: Role,
        from: Square,
        to: Square,
    ) -> IllegalMove {
        if self.by_color(self.side_to_move).has(to) {
            return IllegalMove::OwnPiece(to);
        }
        let en_passant = self.en_passant_report(from, to);
        if let Some(reason) = en_passant.and_then(|report| report.errors().into_iter().next()) {
            return reason;
        }
        if !self.targets(self.side_to_move, role, from).has(to) {
            return self.why_unreachable(role, from, to);
        }
        let exposed = match role {
            Role::King => self.why_king_cannot_step(from, to),
            _ => self.why_king_is_exposed(from, to),
        };
        exposed.unwrap_or(match role {
            Role::Pawn => IllegalMove::MissingPromotion(from),
            _ => IllegalMove::Unreachable { role, from, to },
        })
    }

    fn why_unreachable(&self, role: Role, from: Square, to: Square) -> IllegalMove {
        let piece = Piece::new(self.side_to_move, role);
        let way = match role {
            Role::Pawn if attacks::pawn(from, self.side_to_move).has(to) => {
                return IllegalMove::NothingToCapture { from, to };
            }
            Role::Pawn => self.pawn_way(from, to),
            _ if attacks::of(piece, from, Bitboard::EMPTY).has(to) => attacks::between(from, to),
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

    fn why_king_cannot_step(&self, from: Square, to: Square) -> Option<IllegalMove> {
        let without_king = self.occupied() ^ Bitboard::of(from);
        let attackers = self.attackers_to(to, without_king) & self.by_color(!self.side_to_move);
        attackers.any().then(|| IllegalMove::KingAttacked {
            to,
            attackers: self.named(attackers),
        })
    }

    fn why_king_is_exposed(&self, from: Square, to: Square) -> Option<IllegalMove> {
        if self.checks().mask(self.king(self.side_to_move)).has(to) {
            self.broken_pin(from, to).map(IllegalMove::Pinned)
        } else {
            IllegalMove::in_check(self.named(self.checkers()))
        }
    }
}
