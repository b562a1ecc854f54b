//! The features of a position: one for each piece, from each side's perspective; and the dirty
//! pieces, whose features a move changes.
//!
//! A side sees its own pieces before the opponent's and its own first rank at the bottom. The
//! board is mirrored when its king is on the files e to h, so that both halves share weights.

use super::attacks::PieceSets;
use super::shape::{FEATURES, Shape};
use movegen::{CastlingSide, Color, File, Move, Piece, Position, Role, Square};

/// The first feature of the opponent's pieces.
const OPPONENT: usize = FEATURES / 2;
/// The bits of a square's index that are its file.
const FILE_MASK: u8 = 7;

/// The board as one side sees it. While it stays the same, so do the features of pieces that do
/// not move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// The first feature of the king bucket.
    first: u16,
    /// `FILE_MASK` if the board is mirrored, otherwise 0.
    mirror: u8,
    side: Color,
}

impl Perspective {
    /// The perspective of a side with its king on this square.
    #[must_use]
    #[inline]
    pub fn new(shape: &Shape, side: Color, king: Square) -> Self {
        let own = king.relative(side);
        Self {
            // At most 31 · 768.
            first: (shape.king_bucket(own) * FEATURES) as u16,
            mirror: if own.file() < File::E { 0 } else { FILE_MASK },
            side,
        }
    }

    #[must_use]
    #[inline]
    pub fn of(shape: &Shape, position: &Position, side: Color) -> Self {
        Self::new(shape, side, position.king(side))
    }

    /// The feature of a piece on a square.
    #[must_use]
    #[inline]
    pub fn feature(self, piece: Piece, square: Square) -> usize {
        self.feature_of(FeaturePair::new(piece, square))
    }

    #[inline]
    pub(super) fn feature_of(self, pair: FeaturePair) -> usize {
        let unmirrored = pair.0[self.side.index()];
        usize::from(self.first) + usize::from(unmirrored ^ u16::from(self.mirror))
    }

    /// The number of perspectives of both sides.
    pub(super) fn count(shape: &Shape) -> usize {
        shape.king_buckets() * 4
    }

    /// The index of this perspective among all.
    pub(super) fn index(self) -> usize {
        let bucket = usize::from(self.first) / FEATURES;
        bucket * 4 + usize::from(self.mirror != 0) * 2 + self.side.index()
    }
}

/// The features of a piece on a square for White and for Black, in the first king bucket and on
/// an unmirrored board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FeaturePair([u16; 2]);

impl FeaturePair {
    #[inline]
    fn new(piece: Piece, square: Square) -> Self {
        let [white, black] = FIRST[piece.index()];
        let flipped = square.flip_rank().index();
        Self([white + square.index() as u16, black + flipped as u16])
    }
}

/// The first feature of each piece, for White and for Black.
const FIRST: [[u16; 2]; 12] = {
    let mut first = [[0; 2]; 12];
    let mut index = 0;
    while index < Piece::ALL.len() {
        let piece = Piece::ALL[index];
        let own = (piece.role().index() * 64) as u16;
        let opponent = own + OPPONENT as u16;
        first[piece.index()] = match piece.color() {
            Color::White => [own, opponent],
            Color::Black => [opponent, own],
        };
        index += 1;
    }
    first
};

/// The features of all pieces from a side's perspective, in no particular order.
pub fn features<'a>(
    shape: &Shape,
    position: &'a Position,
    side: Color,
) -> impl Iterator<Item = usize> + use<'a> {
    let perspective = Perspective::of(shape, position, side);
    position
        .piece_map()
        .map(move |(square, piece)| perspective.feature(piece, square))
}

/// The squares of each role and color.
#[inline(always)]
pub(super) fn piece_sets(position: &Position) -> PieceSets {
    let [pawns, knights, bishops, rooks, queens, kings] =
        Role::ALL.map(|role| position.by_role(role).0);
    let [white, black] = Color::ALL.map(|color| position.by_color(color).0);
    [pawns, knights, bishops, rooks, queens, kings, white, black]
}

/// Dirty pieces: what a move removes from the board and adds to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DirtyPieces {
    /// After a null move.
    None,
    Move {
        removed: FeaturePair,
        added: FeaturePair,
    },
    Capture {
        removed: FeaturePair,
        added: FeaturePair,
        captured: FeaturePair,
    },
    /// King and rook.
    Castle {
        removed: [FeaturePair; 2],
        added: [FeaturePair; 2],
    },
}

impl DirtyPieces {
    /// Stores the dirty pieces of a legal move. Written in place, field by field: building a
    /// value and copying it would stall on store forwarding.
    #[inline]
    pub(super) fn set(&mut self, position: &Position, mv: Move) {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = position.piece_on(from) else {
            return *self = Self::None;
        };
        if !mv.is_normal() {
            return *self = Self::special(position, mv, piece);
        }
        let removed = FeaturePair::new(piece, from);
        let added = FeaturePair::new(piece, to);
        if let Some(captured) = position.piece_on(to) {
            let captured = FeaturePair::new(captured, to);
            *self = Self::Capture {
                removed,
                added,
                captured,
            };
        } else {
            *self = Self::Move { removed, added };
        }
    }

    /// Castling, en passant and promotion.
    #[cold]
    fn special(position: &Position, mv: Move, piece: Piece) -> Self {
        let (from, to, side) = (mv.from(), mv.to(), piece.color());
        let removed = FeaturePair::new(piece, from);
        if mv.is_castling() {
            let castling_side = CastlingSide::of(from, to);
            let rook = Piece::new(side, Role::Rook);
            return Self::Castle {
                removed: [removed, FeaturePair::new(rook, to)],
                added: [
                    FeaturePair::new(piece, castling_side.king_target(side)),
                    FeaturePair::new(rook, castling_side.rook_target(side)),
                ],
            };
        }
        let role = mv.promotion_role().unwrap_or(piece.role());
        let added = FeaturePair::new(Piece::new(side, role), to);
        let captured = if mv.is_en_passant() {
            let square = Square::new(to.file(), from.rank());
            Some((Piece::new(!side, Role::Pawn), square))
        } else {
            position.piece_on(to).map(|captured| (captured, to))
        };
        match captured {
            Some((captured, square)) => Self::Capture {
                removed,
                added,
                captured: FeaturePair::new(captured, square),
            },
            None => Self::Move { removed, added },
        }
    }
}

/// The square of a king after its move.
#[inline]
pub(super) fn king_target(side: Color, mv: Move) -> Square {
    if mv.is_castling() {
        CastlingSide::of(mv.from(), mv.to()).king_target(side)
    } else {
        mv.to()
    }
}
