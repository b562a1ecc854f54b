//! Two values in one word: what something is worth in the midgame and in the endgame.
//!
//! Sums of both halves cost one addition. Each half has to stay within sixteen bits, which
//! all the men there can be, at ten pawns each, do not come near.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The phase in which only the midgame counts; at 0 only the endgame does.
pub(super) const FULL_PHASE: i32 = 24;

/// The share of an endgame value that is all of it.
pub(super) const FULL_SHARE: i32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i32);

/// A value in the midgame and in the endgame.
pub(super) const fn tapered(middle: i32, end: i32) -> Tapered {
    Tapered((end << 16) + middle)
}

impl Tapered {
    pub(super) const ZERO: Self = Self(0);

    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline]
    pub(super) const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    #[inline]
    pub(super) const fn end(self) -> i32 {
        // A negative midgame half has borrowed one from the endgame half.
        (self.0 + 0x8000) >> 16
    }

    /// One number, by how much of the midgame is left and how much of the endgame's
    /// advantage can be expected to win.
    #[inline]
    pub(super) const fn blend(self, phase: i32, share: i32) -> i32 {
        let middle = self.middle() * phase * FULL_SHARE;
        let end = self.end() * (FULL_PHASE - phase) * share;
        (middle + end) / (FULL_PHASE * FULL_SHARE)
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        for middle in [-9000, -300, -1, 0, 1, 300, 9000] {
            for end in [-9000, -300, -1, 0, 1, 300, 9000] {
                let value = tapered(middle, end);
                assert_eq!((value.middle(), value.end()), (middle, end));
                assert_eq!(((-value).middle(), (-value).end()), (-middle, -end));
                let sum = value + tapered(7, -5) * 3;
                assert_eq!((sum.middle(), sum.end()), (middle + 21, end - 15));
            }
        }
    }

    #[test]
    fn blending_goes_from_the_one_half_to_the_other() {
        let value = tapered(240, -48);
        assert_eq!(value.blend(FULL_PHASE, FULL_SHARE), 240);
        assert_eq!(value.blend(0, FULL_SHARE), -48);
        assert_eq!(value.blend(0, FULL_SHARE / 4), -12);
        assert_eq!(value.blend(FULL_PHASE / 2, FULL_SHARE), 96);
        assert_eq!((-value).blend(5, 17), -value.blend(5, 17));
    }
}
