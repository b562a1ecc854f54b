//! The dimensions of a network: hidden layer, king buckets, output buckets.

use movegen::Square;
use std::fmt;
use thiserror::Error;

/// Features of one king bucket: twelve pieces on 64 squares.
pub const FEATURES: usize = 12 * 64;
/// The width of the hidden layer is a multiple of this.
pub const HIDDEN_MULTIPLE: usize = 64;
pub const MAX_HIDDEN: usize = 1024;
pub const MAX_KING_BUCKETS: usize = 32;
pub const MAX_OUTPUT_BUCKETS: usize = 8;

/// Why a shape is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapeError {
    #[error(
        "invalid hidden layer width {found}: expected a multiple of {HIDDEN_MULTIPLE} up to {MAX_HIDDEN}"
    )]
    Hidden { found: usize },
    #[error("invalid number of king buckets {found}: expected 1 to {MAX_KING_BUCKETS}")]
    KingBuckets { found: usize },
    #[error("invalid number of output buckets {found}: expected 1 to {MAX_OUTPUT_BUCKETS}")]
    OutputBuckets { found: usize },
    #[error("invalid king bucket {found} for {king}: the last bucket is {last}")]
    KingMap {
        king: Square,
        found: u8,
        last: usize,
    },
    #[error("{king} and its mirror image {mirrored} are in different king buckets")]
    Mirror { king: Square, mirrored: Square },
}

/// The dimensions of a network, always valid ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    hidden: usize,
    king_buckets: usize,
    output_buckets: usize,
    /// The king bucket of each square, from the perspective of the king's side.
    king_map: [u8; 64],
}

impl Shape {
    /// `hidden` neurons for each side and a king bucket for each square of the side's own king,
    /// from its own perspective: a1 is Black's a8. Mirrored squares share a bucket, since the
    /// board is mirrored to have the king on the files a to d.
    pub fn new(
        hidden: usize,
        king_buckets: usize,
        output_buckets: usize,
        king_map: [u8; 64],
    ) -> Result<Self, ShapeError> {
        if !(1..=MAX_HIDDEN).contains(&hidden) || !hidden.is_multiple_of(HIDDEN_MULTIPLE) {
            return Err(ShapeError::Hidden { found: hidden });
        }
        if !(1..=MAX_KING_BUCKETS).contains(&king_buckets) {
            return Err(ShapeError::KingBuckets {
                found: king_buckets,
            });
        }
        if !(1..=MAX_OUTPUT_BUCKETS).contains(&output_buckets) {
            return Err(ShapeError::OutputBuckets {
                found: output_buckets,
            });
        }
        for king in Square::all() {
            let found = king_map[king.index()];
            if usize::from(found) >= king_buckets {
                return Err(ShapeError::KingMap {
                    king,
                    found,
                    last: king_buckets - 1,
                });
            }
            let mirrored = king.flip_file();
            if found != king_map[mirrored.index()] {
                return Err(ShapeError::Mirror { king, mirrored });
            }
        }
        Ok(Self {
            hidden,
            king_buckets,
            output_buckets,
            king_map,
        })
    }

    /// A shape with one king bucket.
    pub fn without_king_buckets(hidden: usize, output_buckets: usize) -> Result<Self, ShapeError> {
        Self::new(hidden, 1, output_buckets, [0; 64])
    }

    /// Neurons for each side.
    #[must_use]
    #[inline]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    #[must_use]
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    #[must_use]
    pub fn output_buckets(&self) -> usize {
        self.output_buckets
    }

    /// The king bucket of each square, as given to `new`.
    #[must_use]
    pub fn king_map(&self) -> &[u8; 64] {
        &self.king_map
    }

    /// Features of all king buckets.
    #[must_use]
    pub fn feature_count(&self) -> usize {
        self.king_buckets * FEATURES
    }

    /// The king bucket of a square, from the perspective of the king's side.
    #[must_use]
    #[inline]
    pub fn king_bucket(&self, king: Square) -> usize {
        usize::from(self.king_map[king.index()])
    }

    /// The output bucket for a number of pieces on the board, kings included.
    #[must_use]
    #[inline]
    pub fn output_bucket(&self, pieces: u32) -> usize {
        const MAX_PIECES: usize = 32;
        let without_kings = (pieces as usize).saturating_sub(2);
        (without_kings * self.output_buckets / MAX_PIECES).min(self.output_buckets - 1)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (features, hidden) = (self.feature_count(), self.hidden);
        write!(f, "({features} -> {hidden})x2 -> {}", self.output_buckets)
    }
}
