//! Instruction sets: which of them this processor has, and running work with one.
//!
//! The instruction set is chosen once, when a program starts; for WebAssembly, when it is compiled.
//! A whole `SimdTask` is compiled for each, so that its operations are inlined. All give the same
//! numbers, to the last bit.

#[cfg(target_arch = "x86_64")]
mod lanes;
mod ops;

pub(super) use ops::{LaneOps, LaneTask, SimdOps};

use super::network::Block;
#[cfg(target_arch = "aarch64")]
use ops::arm::Neon;
#[cfg(target_feature = "simd128")]
use ops::wasm::Simd128;
#[cfg(target_arch = "x86_64")]
use ops::x86::{Avx2, Avx512};
use std::fmt;

/// Work that is compiled for each instruction set.
pub(super) trait SimdTask {
    type Output;

    /// Must be `#[inline(always)]`, to be compiled into its caller.
    fn run<S: SimdOps>(self, simd: S) -> Self::Output;
}

/// Arithmetic in plain loops, which the compiler vectorizes for each instruction set. Loops that
/// leave the order of additions to it give other numbers for each.
pub trait Loops {
    /// Must be `#[inline(always)]`, with everything it calls.
    fn run(self);
}

impl<T: Loops> SimdTask for T {
    type Output = ();

    #[inline(always)]
    fn run<S: SimdOps>(self, _: S) {
        Loops::run(self);
    }
}

/// An instruction set this processor has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Simd(Level);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    #[cfg(target_feature = "simd128")]
    Simd128(Simd128),
}

impl Simd {
    /// The fastest one.
    #[must_use]
    pub fn best() -> Self {
        Self::all().last().unwrap_or(Self(Level::Scalar))
    }

    /// All of them, the slowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let detected = [
            Some(Level::Scalar),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Level::Avx512),
            #[cfg(target_arch = "aarch64")]
            Neon::detect().map(Level::Neon),
            #[cfg(target_feature = "simd128")]
            Simd128::detect().map(Level::Simd128),
        ];
        detected.into_iter().flatten().map(Self)
    }

    /// Runs loops compiled for these instructions.
    #[inline]
    pub fn run_loops(self, loops: impl Loops) {
        self.run(loops);
    }

    /// Runs a task compiled for these instructions.
    #[inline]
    pub(super) fn run<T: SimdTask>(self, task: T) -> T::Output {
        match self.0 {
            Level::Scalar => ops::Scalar.run(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(avx2) => avx2.run(task),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(avx512) => avx512.run(task),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(neon) => neon.run(task),
            #[cfg(target_feature = "simd128")]
            Level::Simd128(simd128) => simd128.run(task),
        }
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "NEON",
            #[cfg(target_feature = "simd128")]
            Level::Simd128(_) => "SIMD128",
        })
    }
}

impl fmt::Debug for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
