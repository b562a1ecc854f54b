//! SIMD kernels: one file for each instruction set, with the same function names.
//!
//! The instruction set is chosen once, when a program starts; for WebAssembly, when it is compiled.
//! A whole `SimdTask` is compiled for each, so that its kernels can be inlined. All give the same
//! numbers, to the last bit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_feature = "simd128")]
mod simd128;

use super::network::Block;
use std::fmt;

/// The kernels of an instruction set. Rows given together are equally long.
pub(super) trait SimdOps: Copy {
    /// Sets `child` to `parent` with some rows added and others removed.
    fn update<const ADDED: usize, const REMOVED: usize>(
        self,
        parent: &[Block],
        child: &mut [Block],
        added: [&[Block]; ADDED],
        removed: [&[Block]; REMOVED],
    );

    /// Adds rows of a table of weights to `row` and removes others.
    fn refresh(self, row: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]);

    /// The output layer: the SCReLU of both rows, weighted and summed. `weights` is as long as
    /// both together.
    fn output(self, us: &[Block], them: &[Block], weights: &[Block]) -> i64;

    /// Runs a task compiled for these instructions.
    fn run<T: SimdTask>(self, task: T) -> T::Output;
}

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

/// Implements `SimdOps` for a token type, which exists only where its instructions do. The file
/// around it has its own `output`.
macro_rules! simd_ops {
    (
        $token:ty, features $features:tt, vector $vector:ty, add $add:ident, subtract $subtract:ident,
        zero $zero:expr, tile $tile:literal
    ) => {
        /// Vectors in a block.
        const VECTORS: usize = size_of::<Block>() / size_of::<$vector>();
        /// Blocks that are kept in registers together.
        const TILE: usize = $tile;

        #[inline(always)]
        fn vectors(block: &Block) -> &[$vector; VECTORS] {
            // SAFETY: a block is as large and at least as aligned as these vectors, and any bits
            // are valid in either.
            unsafe { &*std::ptr::from_ref(block).cast() }
        }

        #[inline(always)]
        fn vectors_mut(block: &mut Block) -> &mut [$vector; VECTORS] {
            // SAFETY: as above, and the borrow is exclusive.
            unsafe { &mut *std::ptr::from_mut(block).cast() }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn update<const ADDED: usize, const REMOVED: usize>(
            parent: &[Block],
            child: &mut [Block],
            mut added: [&[Block]; ADDED],
            mut removed: [&[Block]; REMOVED],
        ) {
            let blocks = child.len();
            let parent = &parent[..blocks];
            // Lengths are checked once here, not for every block below.
            for row in &mut added {
                *row = &row[..blocks];
            }
            for row in &mut removed {
                *row = &row[..blocks];
            }
            for (index, child) in child.iter_mut().enumerate() {
                let mut sums = *vectors(&parent[index]);
                for row in added {
                    for (sum, &weights) in sums.iter_mut().zip(vectors(&row[index])) {
                        *sum = $add(*sum, weights);
                    }
                }
                for row in removed {
                    for (sum, &weights) in sums.iter_mut().zip(vectors(&row[index])) {
                        *sum = $subtract(*sum, weights);
                    }
                }
                *vectors_mut(child) = sums;
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn refresh(row: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
            let blocks = row.len();
            let (tiles, rest) = row.as_chunks_mut::<TILE>();
            let tiled = tiles.len() * TILE;
            for (index, tile) in tiles.iter_mut().enumerate() {
                refresh_tile(tile, &weights[index * TILE..], blocks, added, removed);
            }
            for (index, block) in rest.iter_mut().enumerate() {
                let tile = std::array::from_mut(block);
                refresh_tile(tile, &weights[tiled + index..], blocks, added, removed);
            }
        }

        /// `refresh` for a few blocks, which stay in registers. `weights` begins at theirs.
        #[inline]
        #[target_feature(enable = $features)]
        fn refresh_tile<const BLOCKS: usize>(
            tile: &mut [Block; BLOCKS],
            weights: &[Block],
            stride: usize,
            added: &[u16],
            removed: &[u16],
        ) {
            let row = |feature: u16| &weights[usize::from(feature) * stride..][..BLOCKS];
            let mut sums = [[$zero; VECTORS]; BLOCKS];
            for (sums, block) in sums.iter_mut().zip(&*tile) {
                *sums = *vectors(block);
            }
            for &feature in added {
                for (sums, weights) in sums.iter_mut().zip(row(feature)) {
                    for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                        *sum = $add(*sum, weights);
                    }
                }
            }
            for &feature in removed {
                for (sums, weights) in sums.iter_mut().zip(row(feature)) {
                    for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                        *sum = $subtract(*sum, weights);
                    }
                }
            }
            for (sums, block) in sums.iter().zip(tile) {
                *vectors_mut(block) = *sums;
            }
        }

        #[target_feature(enable = $features)]
        fn run<T: SimdTask>(token: $token, task: T) -> T::Output {
            task.run(token)
        }

        // SAFETY (of every call): a token exists only where its instructions were detected, and
        // the functions above are compiled for no others.
        impl SimdOps for $token {
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
            fn refresh(self, row: &mut [Block], weights: &[Block], added: &[u16], removed: &[u16]) {
                // SAFETY: as above.
                unsafe { refresh(row, weights, added, removed) }
            }

            #[inline(always)]
            fn output(self, us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
                // SAFETY: as above.
                unsafe { output(us, them, weights) }
            }

            #[inline(always)]
            fn run<T: SimdTask>(self, task: T) -> T::Output {
                // SAFETY: as above.
                unsafe { run(self, task) }
            }
        }
    };
}
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_feature = "simd128"
))]
use simd_ops;

/// An instruction set this processor has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Simd(Level);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(neon::Neon),
    #[cfg(target_feature = "simd128")]
    Simd128(simd128::Simd128),
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
            avx2::Avx2::detect().map(Level::Avx2),
            #[cfg(target_arch = "x86_64")]
            avx512::Avx512::detect().map(Level::Avx512),
            #[cfg(target_arch = "aarch64")]
            neon::Neon::detect().map(Level::Neon),
            #[cfg(target_feature = "simd128")]
            simd128::Simd128::detect().map(Level::Simd128),
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
            Level::Scalar => scalar::Scalar.run(task),
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
