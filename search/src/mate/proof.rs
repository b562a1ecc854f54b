//! Proof and disproof numbers of depth-first proof-number search, as phi and delta.

use std::ops::Add;

/// The work that seems to be left to prove, from the side to move's point of view: phi that it
/// reaches its goal, delta that it does not. The attacker's goal is to mate in time, the
/// defender's not to be mated in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofNumbers {
    pub(super) phi: Count,
    pub(super) delta: Count,
}

/// A number of positions still to be proven; `INFINITE` when the opposite is proven.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Count(pub(super) u32);

impl Count {
    pub(super) const ZERO: Self = Self(0);
    pub(super) const INFINITE: Self = Self(u32::MAX / 4);

    /// A little more, so that the search does not switch branches too often.
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
        Self((self.0 + other.0).min(Self::INFINITE.0))
    }
}

impl ProofNumbers {
    pub(super) const WON: Self = Self {
        phi: Count::ZERO,
        delta: Count::INFINITE,
    };
    pub(super) const LOST: Self = Self {
        phi: Count::INFINITE,
        delta: Count::ZERO,
    };

    pub(super) fn is_proven(self) -> bool {
        self == Self::WON || self == Self::LOST
    }

    /// A threshold is reached.
    pub(super) fn reaches(self, limit: Self) -> bool {
        self.phi >= limit.phi || self.delta >= limit.delta
    }
}
