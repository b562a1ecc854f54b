//! Moves, packed into sixteen bits, and lists of them on the stack.
//!
//! Castling is encoded as the king taking its own rook, in standard chess too, so that Chess960
//! needs no second encoding. Notation is in `uci` and `san`.

use crate::castling::{CastlingSide, Variant};
use crate::piece::Role;
use crate::square::Square;
use arrayvec::ArrayVec;
use core::fmt;
use core::num::NonZeroU16;

/// A move. `Option<Move>` is two bytes too.
///
/// A move is legal only in the positions that generate or accept it. Its text depends on the
/// position or the variant: [`Position::san`](crate::Position::san), [`Move::uci`]. Displayed as in
/// UCI, with castling as the king moving to its rook, which
/// [`Position::move_from_uci`](crate::Position::move_from_uci) reads in any variant. Only a
/// position can tell what move a text is; a text alone is a [`UciMove`](crate::UciMove). Moves are
/// ordered by their packed words.
///
/// ```
/// use movegen::{Move, MoveKind, Position, Role, Square, Variant};
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", Variant::Standard)?;
/// let mv = position.move_from_san("O-O-O").unwrap();
/// assert_eq!(mv, Move::castling(Square::E1, Square::A1));
/// assert_eq!(mv.kind(), MoveKind::Castling);
/// assert_eq!(mv.uci(Variant::Standard).to_string(), "e1c1");
/// assert_eq!(mv.uci(Variant::Chess960).to_string(), "e1a1");
/// assert_eq!(mv.to_string(), "e1a1");
///
/// let promotion = Move::promotion(Square::B7, Square::B8, Role::Knight);
/// assert_eq!(promotion.promotion_role(), Some(Role::Knight));
/// # Ok::<(), movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A plain move or capture, double pawn pushes included.
    Normal,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// The king moves to its own rook's square.
    Castling,
    /// A pawn reaches the last rank and is replaced by this role.
    Promotion(Role),
}

const TO_SHIFT: u16 = 6;
const KIND_SHIFT: u16 = 12;
const EN_PASSANT: u16 = 1 << KIND_SHIFT;
const CASTLE: u16 = 2 << KIND_SHIFT;
const PROMOTION: u16 = 4 << KIND_SHIFT;
/// Set in every move, so that the word is never zero.
const PRESENT: u16 = 8 << KIND_SHIFT;

impl Move {
    #[inline]
    const fn pack(from: Square, to: Square, kind: u16) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << TO_SHIFT | kind | PRESENT;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU16::MIN),
        }
    }

    /// A move that is neither en passant, castling nor a promotion.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self::pack(from, to, 0)
    }

    /// An en passant capture; `to` is the square that the captured pawn skipped.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self::pack(from, to, EN_PASSANT)
    }

    /// Castling, as the king moving to its rook.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self::pack(king, rook, CASTLE)
    }

    /// A promotion. A pawn cannot promote to a pawn or king; these give a queen.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Self {
        let kind = match role {
            Role::Knight => 0,
            Role::Bishop => 1 << KIND_SHIFT,
            Role::Rook => 2 << KIND_SHIFT,
            Role::Queen | Role::Pawn | Role::King => 3 << KIND_SHIFT,
        };
        Self::pack(from, to, PROMOTION | kind)
    }

    /// The origin; for castling the king's square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0.get() & 63) as u8)
    }

    /// The destination; for castling the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0.get() >> TO_SHIFT & 63) as u8)
    }

    /// The kind of move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> KIND_SHIFT & 7 {
            0 | 3 => MoveKind::Normal,
            1 => MoveKind::EnPassant,
            2 => MoveKind::Castling,
            4 => MoveKind::Promotion(Role::Knight),
            5 => MoveKind::Promotion(Role::Bishop),
            6 => MoveKind::Promotion(Role::Rook),
            _ => MoveKind::Promotion(Role::Queen),
        }
    }

    /// The role a pawn promotes to; `None` for other moves.
    #[inline]
    pub const fn promotion_role(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// The side of a castling move; `None` for other moves.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        self.is_castling()
            .then(|| CastlingSide::of(self.from(), self.to()))
    }

    /// True if the move is a plain move or capture.
    #[inline]
    pub const fn is_normal(self) -> bool {
        self.0.get() & (7 << KIND_SHIFT) == 0
    }

    /// True if the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() & (7 << KIND_SHIFT) == CASTLE
    }

    /// True if the move is an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() & (7 << KIND_SHIFT) == EN_PASSANT
    }

    /// True if the move is a promotion, with or without a capture.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// The packed word, for tables.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move of a packed word; `None` for zero and for words that encode no move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let known_kind = bits >> KIND_SHIFT & 7 != 3;
        match NonZeroU16::new(bits) {
            Some(word) if bits & PRESENT != 0 && known_kind => Some(Self(word)),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uci(Variant::Chess960).fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}

/// An upper bound on the moves of a legal position (the known maximum is 218).
pub const MAX_MOVES: usize = 256;

/// A list of moves on the stack.
///
/// ```
/// use movegen::Position;
///
/// let moves = Position::default().legal_moves();
/// assert_eq!(moves.len(), 20);
/// assert!(moves.iter().all(|mv| !mv.is_promotion()));
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
