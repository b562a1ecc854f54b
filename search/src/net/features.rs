//! Which features a position has: one for every man, as each side sees the board.
//!
//! A side sees its own men before the other's and its own first rank at the bottom. The board
//! is mirrored when its king stands on the files e to h, so that both wings share weights.

use super::shape::{FEATURES, Shape};
use movegen::{Color, Piece, Position, Square};

/// The other side's men come after so many features of one's own.
const ENEMY: usize = FEATURES / 2;
/// Square numbers that are turned round in one of these bits are flipped.
const RANKS: u8 = 0o70;
const FILES: u8 = 0o07;

/// How one side sees the board. As long as it stays the same, so do the features of men that
/// do not move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    perspective: Color,
    /// The bits of a square's number that are turned round.
    flip: u8,
    bucket: u8,
}

impl View {
    /// How a side sees the board whose own king stands here.
    #[must_use]
    #[inline]
    pub fn new(shape: &Shape, perspective: Color, king: Square) -> Self {
        let own = king.relative(perspective);
        let ranks = match perspective {
            Color::White => 0,
            Color::Black => RANKS,
        };
        let files = if own.file() < 4 { 0 } else { FILES };
        Self {
            perspective,
            flip: ranks | files,
            bucket: shape.king_bucket(own) as u8,
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
        let side = if man.color() == self.perspective {
            0
        } else {
            ENEMY
        };
        usize::from(self.bucket) * FEATURES
            + side
            + man.role().index() * 64
            + (square.index() ^ usize::from(self.flip))
    }
}

/// The features of all men as a side sees them, in no particular order.
pub fn features<'a>(
    shape: &Shape,
    position: &'a Position,
    perspective: Color,
) -> impl Iterator<Item = usize> + use<'a> {
    let view = View::of(shape, position, perspective);
    position
        .men()
        .map(move |(square, man)| view.feature(man, square))
}
