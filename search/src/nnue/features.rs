//! Which features a position has: one for every man, as each side sees the board.
//!
//! A side sees its own men before the other's and its own first rank at the bottom. The board
//! is mirrored when its king stands on the files e to h, so that both wings share weights.

use super::shape::{FEATURES, Shape};
use movegen::{Color, Piece, Position, Square};

/// The other side's men come after so many features of one's own.
const ENEMY: usize = FEATURES / 2;
/// The bits of a square's number that say its file.
const FILES: u8 = 7;

/// How one side sees the board. As long as it stays the same, so do the features of men that
/// do not move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// The first feature of the king's bucket.
    first: u16,
    /// `FILES` if they are turned round, or nothing.
    mirror: u8,
    perspective: Color,
}

impl Perspective {
    /// How a side sees the board whose own king stands here.
    #[must_use]
    #[inline]
    pub fn new(shape: &Shape, perspective: Color, king: Square) -> Self {
        let own = king.relative(perspective);
        Self {
            // At most 31 · 768.
            first: (shape.king_bucket(own) * FEATURES) as u16,
            mirror: if own.file() < 4 { 0 } else { FILES },
            perspective,
        }
    }

    /// How a side sees a position.
    #[must_use]
    #[inline]
    pub fn of(shape: &Shape, position: &Position, perspective: Color) -> Self {
        Self::new(shape, perspective, position.king(perspective))
    }

    /// The feature of a man that stands here.
    #[must_use]
    #[inline]
    pub fn feature(self, man: Piece, square: Square) -> usize {
        self.see(Standing::new(man, square))
    }

    /// The feature of a man.
    #[inline]
    pub(super) fn see(self, man: Standing) -> usize {
        let unmirrored = man.0[self.perspective.index()];
        usize::from(self.first) + usize::from(unmirrored ^ u16::from(self.mirror))
    }

    /// How many views there are of both sides together.
    pub(super) fn count(shape: &Shape) -> usize {
        shape.king_buckets() * 4
    }

    /// Every view has its own number.
    pub(super) fn number(self) -> usize {
        let bucket = usize::from(self.first) / FEATURES;
        bucket * 4 + usize::from(self.mirror != 0) * 2 + self.perspective.index()
    }
}

/// A man and where it stands: its feature for White and for Black, in the first bucket and
/// with the files as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing([u16; 2]);

impl Standing {
    #[inline]
    pub(super) fn new(man: Piece, square: Square) -> Self {
        let [white, black] = FIRST[man.index()];
        let flipped = square.flip_rank().index();
        Self([white + square.index() as u16, black + flipped as u16])
    }
}

/// For White and for Black, the first feature of each man.
const FIRST: [[u16; 2]; 12] = {
    let mut first = [[0; 2]; 12];
    let mut number = 0;
    while number < Piece::ALL.len() {
        let man = Piece::ALL[number];
        let own = (man.role().index() * 64) as u16;
        let enemy = own + ENEMY as u16;
        first[man.index()] = match man.color() {
            Color::White => [own, enemy],
            Color::Black => [enemy, own],
        };
        number += 1;
    }
    first
};

/// The features of all men as a side sees them, in no particular order.
pub fn features<'a>(
    shape: &Shape,
    position: &'a Position,
    perspective: Color,
) -> impl Iterator<Item = usize> + use<'a> {
    let view = Perspective::of(shape, position, perspective);
    position
        .piece_map()
        .map(move |(square, man)| view.feature(man, square))
}
