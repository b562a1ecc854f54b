//! Which wide instructions the processor has, found out once.
//!
//! Arithmetic is written once, in plain loops, and compiled for every kind of processor. No
//! loop may leave the order of its additions to the compiler, and none does: so all kernels
//! give the same bits, and a run can be had again on another machine.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A piece of arithmetic large enough that choosing its instructions costs nothing.
pub(super) trait Work {
    type Output;

    /// Must be `#[inline(always)]`, with all it calls: it is compiled as part of the function
    /// that has the instructions.
    fn run(self) -> Self::Output;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The kernels this program has, the best last.
const LEVELS: &[(Level, &str)] = &[
    (Level::Plain, "plain"),
    #[cfg(target_arch = "x86_64")]
    (Level::Avx2, "avx2"),
    #[cfg(target_arch = "x86_64")]
    (Level::Avx512, "avx512"),
];

impl Level {
    fn is_here(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
        }
    }
}

/// Instructions to compute with. A value exists only where the processor has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Level);

/// Why there is no kernel of a name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{name}' is no kernel this processor can run; it can run {}", here.join(", "))]
pub struct KernelError {
    name: String,
    here: Vec<String>,
}

impl Kernel {
    /// The kernels this processor can run, the best last.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        LEVELS
            .iter()
            .filter(|(level, _)| level.is_here())
            .map(|&(level, _)| Self(level))
    }

    #[must_use]
    pub fn best() -> Self {
        Self::all().next_back().unwrap_or(Self(Level::Plain))
    }

    #[inline]
    pub(super) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Level::Plain => work.run(),
            // SAFETY: kernels are made by `all` only, of levels the processor was found to have.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { with_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { with_avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn with_avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = LEVELS.iter().find(|(level, _)| *level == self.0);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Self, KernelError> {
        let found = Self::all().find(|kernel| kernel.to_string() == name);
        found.ok_or_else(|| KernelError {
            name: name.to_owned(),
            here: Self::all().map(|kernel| kernel.to_string()).collect(),
        })
    }
}
