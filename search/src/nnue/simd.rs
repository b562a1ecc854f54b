//! How sums are computed: one file for each set of instructions, the same names in each.
//!
//! Which of them is used is decided once, when a program starts; within it everything from
//! bringing sums up to date to the value is compiled for those instructions. All give the
//! same numbers, to the last bit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

use super::accumulator::AccumulatorStack;
use super::block::Block;
use movegen::Position;
use std::fmt;

/// What an instruction set has to offer. Rows given together are equally long.
pub(super) trait SimdOps: Copy {
    /// `child` becomes `parent` with some rows added and others taken away.
    fn update<const ADDED: usize, const REMOVED: usize>(
        self,
        parent: &[Block],
        child: &mut [Block],
        added: [&[Block]; ADDED],
        removed: [&[Block]; REMOVED],
    );

    /// Adds rows of a table to `row` and takes others away, as many as there are.
    fn rebuild(self, row: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]);

    /// Both rows clamped, squared and weighted. `weights` is as long as both together.
    fn output(self, us: &[Block], them: &[Block], weights: &[Block]) -> i64;

    /// `AccumulatorStack::value_with` these instructions, and compiled for them.
    fn value(self, accumulators: &mut AccumulatorStack, position: &Position, ply: usize) -> i32;
}

/// Makes a proof of instructions the door to the functions of its file.
macro_rules! implement {
    ($proof:ty) => {
        // SAFETY (of every call): a proof exists only where its instructions were found, and
        // the functions beside it are compiled for no others.
        impl $crate::nnue::simd::SimdOps for $proof {
            #[inline(always)]
            fn update<const ADDED: usize, const REMOVED: usize>(
                self,
                parent: &[Block],
                child: &mut [Block],
                added: [&[Block]; ADDED],
                removed: [&[Block]; REMOVED],
            ) {
                // SAFETY: as above.
                unsafe { update(parent, child, added, removed) }
            }

            #[inline(always)]
            fn rebuild(self, row: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
                // SAFETY: as above.
                unsafe { rebuild(row, table, added, removed) }
            }

            #[inline(always)]
            fn output(self, us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
                // SAFETY: as above.
                unsafe { output(us, them, weights) }
            }

            #[inline(always)]
            fn value(
                self,
                accumulators: &mut AccumulatorStack,
                position: &Position,
                ply: usize,
            ) -> i32 {
                // SAFETY: as above.
                unsafe { value(self, accumulators, position, ply) }
            }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use implement;

/// An instruction set this processor has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Simd(Choice);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Neon),
}

impl Simd {
    /// The fastest.
    #[must_use]
    pub fn best() -> Self {
        Self::all().last().unwrap_or(Self(Choice::Scalar))
    }

    /// All of them, the slowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let found = [
            Some(Choice::Scalar),
            #[cfg(target_arch = "x86_64")]
            avx2::Avx2::detect().map(Choice::Avx2),
            #[cfg(target_arch = "x86_64")]
            avx512::Avx512::detect().map(Choice::Avx512),
            #[cfg(target_arch = "aarch64")]
            neon::Neon::detect().map(Choice::Neon),
        ];
        found.into_iter().flatten().map(Self)
    }

    #[inline]
    pub(super) fn value(
        self,
        accumulators: &mut AccumulatorStack,
        position: &Position,
        ply: usize,
    ) -> i32 {
        match self.0 {
            Choice::Scalar => scalar::Scalar.value(accumulators, position, ply),
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(avx2) => avx2.value(accumulators, position, ply),
            #[cfg(target_arch = "x86_64")]
            Choice::Avx512(avx512) => avx512.value(accumulators, position, ply),
            #[cfg(target_arch = "aarch64")]
            Choice::Neon(neon) => neon.value(accumulators, position, ply),
        }
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Choice::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Choice::Neon(_) => "NEON",
        })
    }
}

impl fmt::Debug for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
