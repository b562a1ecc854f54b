//! How hard a question still looks, from the side to move's point of view.

use std::ops::Add;

/// How much seems to be left to do to show that the side to move gets its way, and how much
/// to show that it does not: its attacker mates in time, its defender is not mated in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    pub(super) win: Count,
    pub(super) lose: Count,
}

/// A number of positions still to be shown; so many that nothing helps when the opposite is
/// known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Count(pub(super) u32);

impl Count {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NEVER: Self = Self(u32::MAX / 4);

    /// So much, and a little more.
    pub(super) fn with_leeway(self) -> Self {
        const SHARE: u32 = 4;
        self + Self(self.0 / SHARE + 1)
    }

    pub(super) fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0).min(Self::NEVER.0))
    }
}

impl Effort {
    pub(super) const WON: Self = Self {
        win: Count::NONE,
        lose: Count::NEVER,
    };
    pub(super) const LOST: Self = Self {
        win: Count::NEVER,
        lose: Count::NONE,
    };

    pub(super) fn settled(self) -> bool {
        self == Self::WON || self == Self::LOST
    }

    /// No more work is wanted than this.
    pub(super) fn reaches(self, limit: Self) -> bool {
        self.win >= limit.win || self.lose >= limit.lose
    }
}
