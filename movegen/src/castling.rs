//! Castling: who may still do it, where king and rook land, and why a castling is refused.
//!
//! A right is the home square of the rook it belongs to, so the rights are a set of
//! squares: a move that leaves or reaches such a square revokes that right (both
//! directions, in any order, any number of times), and a king's move revokes its side's.
//! Nothing else removes one, and nothing gives one back. Chess960 needs no more than this.

use crate::attacks;
use crate::attacks::sliders::{Lookup, Magic};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{Black, Color, Side, White};
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::square::Square;
use std::fmt;
use thiserror::Error;

/// The side of the board towards which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the h-file, `O-O`.
    King,
    /// Towards the a-file, `O-O-O`.
    Queen,
}

impl CastlingSide {
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The wing a rook stands on, seen from its king.
    #[must_use]
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    #[must_use]
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::G1.relative(color),
            Self::Queen => Square::C1.relative(color),
        }
    }

    #[must_use]
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::F1.relative(color),
            Self::Queen => Square::D1.relative(color),
        }
    }

    /// The home of this wing's rook in standard chess.
    #[must_use]
    pub const fn standard_rook_home(self, color: Color) -> Square {
        match self {
            Self::King => Square::H1.relative(color),
            Self::Queen => Square::A1.relative(color),
        }
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::King => "kingside",
            Self::Queen => "queenside",
        })
    }
}

/// The rights of both sides, as the set of home squares of the rooks they belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// The homes of all rooks that may still castle.
    #[must_use]
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The homes of a side's rooks that may still castle.
    #[must_use]
    #[inline]
    pub fn of(self, color: Color) -> Bitboard {
        self.0 & Bitboard::relative_rank(color, 0)
    }

    /// The home of the rook that may castle on this wing of a king standing on `king`.
    #[must_use]
    #[inline]
    pub fn rook(self, color: Color, wing: CastlingSide, king: Square) -> Option<Square> {
        match wing {
            CastlingSide::King => self.of(color).last().filter(|&rook| rook > king),
            CastlingSide::Queen => self.of(color).first().filter(|&rook| rook < king),
        }
    }

    pub(crate) fn grant(&mut self, rook: Square) {
        self.0 |= Bitboard::of(rook);
    }

    /// The rule for every move: what left or was reached is a home no more.
    #[inline(always)]
    pub(crate) fn revoke(&mut self, squares: Bitboard) {
        self.0 &= !squares;
    }

    /// The rule for a king's move.
    #[inline(always)]
    pub(crate) fn revoke_all(&mut self, color: Color) {
        self.0 &= !Bitboard::relative_rank(color, 0);
    }
}

/// Which of the six conditions of castling failed, in the order they are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CastlingError {
    #[error("cannot castle {0}: the right to is gone")]
    NoRight(CastlingSide),
    #[error("cannot castle {wing}: the king is not on its home square {home}")]
    KingNotHome { wing: CastlingSide, home: Square },
    #[error("cannot castle {wing}: {} on {home}, where the rook should be", found_text(*found))]
    RookNotHome {
        wing: CastlingSide,
        home: Square,
        found: Option<Piece>,
    },
    #[error("cannot castle {wing}: {square} is occupied")]
    Blocked { wing: CastlingSide, square: Square },
    #[error("cannot castle {wing}: the king is in check from {checker}")]
    InCheck { wing: CastlingSide, checker: Square },
    #[error("cannot castle {wing}: {square} is attacked")]
    Attacked { wing: CastlingSide, square: Square },
}

fn found_text(found: Option<Piece>) -> String {
    match found {
        None => "nothing stands".to_owned(),
        Some(piece) => {
            let color = piece.color().to_string().to_lowercase();
            format!("a {color} {} stands", piece.role().name())
        }
    }
}

/// Asks the six conditions for the side to move, failing fast.
#[inline(always)]
pub(crate) fn castle<Us: Side, L: Lookup>(
    board: &Board,
    lookup: L,
    wing: CastlingSide,
    checkers: Bitboard,
) -> Result<Move, CastlingError> {
    let king = board.king(Us::COLOR);
    // 1: the right. That king and rook are at home (2, 3) follows from it: a right is
    // granted only where they are, and revoked when either leaves.
    let Some(rook) = board.castling.rook(Us::COLOR, wing, king) else {
        return Err(CastlingError::NoRight(wing));
    };
    // 4: every square either crosses or lands on, the two castlers aside.
    let (king_target, rook_target) = (wing.king_target(Us::COLOR), wing.rook_target(Us::COLOR));
    let castlers = Bitboard::of(king) | Bitboard::of(rook);
    let king_path = attacks::between(king, king_target) | Bitboard::of(king_target);
    let rook_path = attacks::between(rook, rook_target) | Bitboard::of(rook_target);
    let between = attacks::between(king, rook);
    let others = board.occupied() & !castlers;
    if let Some(square) = ((king_path | rook_path | between) & others).first() {
        return Err(CastlingError::Blocked { wing, square });
    }
    // 5: not out of check.
    if let Some(checker) = checkers.first() {
        return Err(CastlingError::InCheck { wing, checker });
    }
    // 6: not through or into an attack. The king blocks no line it walks along, and on
    // landing the rook stands beside it, no longer shielding its old square.
    let without_king = board.occupied() ^ Bitboard::of(king);
    let on_the_way = king_path & !Bitboard::of(king_target) & !Bitboard::of(king);
    let landed = others | Bitboard::of(rook_target);
    let landing = Bitboard::of(king_target);
    let attacked = on_the_way & !board.safe_for_king::<Us, L>(lookup, on_the_way, without_king)
        | landing & !board.safe_for_king::<Us, L>(lookup, landing, landed);
    match attacked.first() {
        Some(square) => Err(CastlingError::Attacked { wing, square }),
        None => Ok(Move::castling(king, rook)),
    }
}

/// The same for a turn known only when running.
pub(crate) fn castle_for(
    board: &Board,
    turn: Color,
    wing: CastlingSide,
    checkers: Bitboard,
) -> Result<Move, CastlingError> {
    match turn {
        Color::White => castle::<White, _>(board, Magic, wing, checkers),
        Color::Black => castle::<Black, _>(board, Magic, wing, checkers),
    }
}

/// Conditions two and three, asked once when a position is set up: a right whose king or
/// rook is not at home is no right.
pub(crate) fn at_home(
    board: &Board,
    color: Color,
    wing: CastlingSide,
    king_home: Square,
    rook_home: Square,
) -> Result<(), CastlingError> {
    if !board.pieces(color, Role::King).has(king_home) {
        let home = king_home;
        return Err(CastlingError::KingNotHome { wing, home });
    }
    if !board.pieces(color, Role::Rook).has(rook_home) {
        let found = board.piece_on(rook_home);
        let home = rook_home;
        return Err(CastlingError::RookNotHome { wing, home, found });
    }
    Ok(())
}
