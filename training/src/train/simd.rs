//! Which SIMD instructions the arithmetic runs with, chosen when the program starts.
//!
//! The arithmetic is written once, in plain loops, and compiled for every level. No loop leaves
//! the order of its additions to the compiler, so all levels give the same bits and a run can be
//! reproduced on another machine.

use std::fmt;

/// A computation large enough that dispatch costs nothing.
pub(super) trait Work {
    /// Must be `#[inline(always)]`, with everything it calls: it is compiled as part of the
    /// function that enables the instructions.
    fn run(self);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The levels compiled in, the fastest last.
const LEVELS: &[(Level, &str)] = &[
    (Level::Plain, "plain"),
    #[cfg(target_arch = "x86_64")]
    (Level::Avx2, "avx2"),
    #[cfg(target_arch = "x86_64")]
    (Level::Avx512, "avx512"),
];

impl Level {
    fn is_supported(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
        }
    }
}

/// A SIMD level. A value exists only if the processor supports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kernel(Level);

impl Kernel {
    /// The kernels this processor supports, the fastest last.
    pub(super) fn all() -> impl DoubleEndedIterator<Item = Self> {
        let supported = LEVELS.iter().filter(|(level, _)| level.is_supported());
        supported.map(|&(level, _)| Self(level))
    }

    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let kernel = Self::all().find(|kernel| kernel.to_string() == name);
        kernel.ok_or_else(|| {
            let supported: Vec<String> = Self::all().map(|kernel| kernel.to_string()).collect();
            let supported = supported.join(", ");
            format!("expected a kernel this processor supports: {supported}")
        })
    }

    pub(super) fn best() -> Self {
        Self::all().next_back().unwrap_or(Self(Level::Plain))
    }

    #[inline]
    pub(super) fn run<W: Work>(self, work: W) {
        match self.0 {
            Level::Plain => work.run(),
            // SAFETY: only `all` makes kernels, of levels the processor supports.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<W: Work>(work: W) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn run_avx512<W: Work>(work: W) {
    work.run();
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = LEVELS.iter().find(|(level, _)| *level == self.0);
        f.write_str(name.map_or("", |(_, name)| name))
    }
}
