//! A set of squares in a 64-bit word.

use crate::piece::Color;
use crate::square::{File, Rank, Square};
use core::fmt::{self, Write as _};
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use movegen::{Bitboard, File, Rank, Square};
///
/// let center: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect();
/// assert!(center.has(Square::E4));
/// assert_eq!(center & Bitboard::rank(Rank::Fourth), center & !Bitboard::rank(Rank::Fifth));
/// assert_eq!((center | Bitboard::file(File::A)).count(), 12);
/// assert!(Bitboard::from(Square::D4).is_subset(center));
/// for square in center {
///     assert!((Rank::Fourth..=Rank::Fifth).contains(&square.rank()));
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All squares.
    pub const FULL: Self = Self(!0);
    /// The first and eighth ranks, where no pawn stands.
    pub(crate) const BACK_RANKS: Self = Self(0xff | 0xff << 56);
    /// The dark squares, a1 among them.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// All squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// All squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (8 * rank as u8))
    }

    /// True if the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set has any square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// True if the set has more than one square.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// True if the set contains `square`.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// True if every square of the set is in `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Every subset of the set, from the empty set to the set itself (carry-rippler).
    ///
    /// ```
    /// use movegen::{Bitboard, Square};
    ///
    /// let corners: Bitboard = [Square::A1, Square::H1, Square::A8].into_iter().collect();
    /// assert_eq!(corners.subsets().count(), 8);
    /// assert_eq!(corners.subsets().last(), Some(corners));
    /// ```
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        let after = move |subset: &Self| {
            (*subset != self).then_some(Self(subset.0.wrapping_sub(self.0) & self.0))
        };
        core::iter::successors(Some(Self::EMPTY), after)
    }

    /// The lowest square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(self.lowest())
        }
    }

    /// The lowest square of a nonempty set (a1 for the empty set).
    #[inline]
    pub(crate) const fn lowest(self) -> Square {
        Square::wrapping(self.0.trailing_zeros() as u8)
    }

    /// The highest square of the set.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrapping(63 - self.0.leading_zeros() as u8))
        }
    }

    /// The set without its lowest square.
    #[must_use]
    #[inline]
    pub(crate) const fn without_lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// Shifts every square one rank forward, as `color` sees it.
    #[must_use]
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Shifts every square one file towards the h-file.
    #[must_use]
    #[inline]
    pub const fn east(self) -> Self {
        Self(self.0 << 1 & !Self::file(File::A).0)
    }

    /// Shifts every square one file towards the a-file.
    #[must_use]
    #[inline]
    pub const fn west(self) -> Self {
        Self(self.0 >> 1 & !Self::file(File::H).0)
    }

    /// The set mirrored vertically (a1 becomes a8).
    #[must_use]
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! bit_operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $symbol:tt;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0 $symbol other.0;
            }
        }
    )*};
}

bit_operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Iterates over the squares of a set, a1 first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = self.0.without_lowest();
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Eight lines of `1` for the squares of the set and `.` for the others, the eighth rank first.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, |square| if self.has(square) { '1' } else { '.' })
    }
}

/// Writes a character for each square, ranks as lines and the eighth rank first.
pub(crate) fn write_board(
    f: &mut fmt::Formatter<'_>,
    letter: impl Fn(Square) -> char,
) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            f.write_char(letter(Square::new(file, rank)))?;
            f.write_str(match (file, rank) {
                (File::H, Rank::First) => "",
                (File::H, _) => "\n",
                _ => " ",
            })?;
        }
    }
    Ok(())
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
