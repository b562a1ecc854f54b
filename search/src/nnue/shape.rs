//! How large a network is, and which of its parts a position uses.

use super::block::LANES;
use movegen::Square;
use std::fmt;
use thiserror::Error;

/// Features of one king bucket: twelve kinds of men on sixty-four squares.
pub const FEATURES: usize = 12 * 64;
/// The hidden layer's width is a multiple of this.
pub const HIDDEN_MULTIPLE: usize = LANES;
pub const MAX_HIDDEN: usize = 1024;
pub const MAX_KING_BUCKETS: usize = 32;
pub const MAX_OUTPUT_BUCKETS: usize = 8;

/// Why there is no network of a shape.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapeError {
    #[error(
        "the hidden layer must be a multiple of {HIDDEN_MULTIPLE} up to {MAX_HIDDEN} wide, not {found}"
    )]
    Hidden { found: usize },
    #[error("there must be 1 to {MAX_KING_BUCKETS} king buckets, not {found}")]
    KingBuckets { found: usize },
    #[error("there must be 1 to {MAX_OUTPUT_BUCKETS} output buckets, not {found}")]
    OutputBuckets { found: usize },
    #[error("the king on {king} is in bucket {found}, but the last of the buckets is {last}")]
    KingMap {
        king: Square,
        found: u8,
        last: usize,
    },
    #[error("the king on {king} is in another bucket than the one on {mirrored}, its mirror image")]
    Mirror { king: Square, mirrored: Square },
}

/// The dimensions of a network. Those of any value of this type are possible ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    hidden: usize,
    king_buckets: usize,
    output_buckets: usize,
    /// The bucket of a king on each square, seen from its own side.
    king_map: [u8; 64],
}

impl Shape {
    /// So many neurons for each side, a bucket for each square of the side's own king (a1 is
    /// the corner of White's queenside and of Black's), and so many output buckets. Squares
    /// that mirror each other share a bucket, since the board is mirrored to have the king on
    /// the files a to d.
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

    /// A shape in which it does not matter on which square the king stands.
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

    /// The king bucket of each square, as `new` took it.
    #[must_use]
    pub fn king_map(&self) -> &[u8; 64] {
        &self.king_map
    }

    /// Features of all king buckets.
    #[must_use]
    pub fn feature_count(&self) -> usize {
        self.king_buckets * FEATURES
    }

    /// The bucket of a king that stands here as its own side sees it.
    #[must_use]
    #[inline]
    pub fn king_bucket(&self, king: Square) -> usize {
        usize::from(self.king_map[king.index()])
    }

    /// The output bucket for so many men on the board, kings included.
    #[must_use]
    #[inline]
    pub fn output_bucket(&self, men: u32) -> usize {
        const MOST_MEN: usize = 32;
        let besides_kings = (men as usize).saturating_sub(2);
        (besides_kings * self.output_buckets / MOST_MEN).min(self.output_buckets - 1)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (features, hidden) = (self.feature_count(), self.hidden);
        write!(f, "({features} -> {hidden})x2 -> {}", self.output_buckets)
    }
}
