//! The kernels with AVX2: sixteen numbers at a time.

use super::implement;
use crate::nnue::QA;
use crate::nnue::accumulator::AccumulatorStack;
use crate::nnue::block::{Block, LANES};
use movegen::Position;
use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64, _mm256_castsi256_si128,
    _mm256_cvtepi32_epi64, _mm256_extract_epi64, _mm256_extracti128_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_sub_epi16,
};

/// Numbers in a vector, and vectors in a block.
const WIDTH: usize = size_of::<__m256i>() / size_of::<i16>();
const VECTORS: usize = LANES / WIDTH;
/// So many blocks fill half of the sixteen registers.
const TILE: usize = 2;

/// Proof that the processor has AVX2, and what came with or before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

implement!(Avx2);

#[inline(always)]
fn vectors(block: &Block) -> &[__m256i; VECTORS] {
    // SAFETY: a block is as large and at least as aligned as these vectors, and any bits are
    // good in either.
    unsafe { &*std::ptr::from_ref(block).cast() }
}

#[inline(always)]
fn vectors_mut(block: &mut Block) -> &mut [__m256i; VECTORS] {
    // SAFETY: as above, and nobody else has the block.
    unsafe { &mut *std::ptr::from_mut(block).cast() }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn value(avx2: Avx2, accumulators: &mut AccumulatorStack, position: &Position, ply: usize) -> i32 {
    accumulators.value_with(avx2, position, ply)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn update<const ADDED: usize, const REMOVED: usize>(
    parent: &[Block],
    child: &mut [Block],
    mut added: [&[Block]; ADDED],
    mut removed: [&[Block]; REMOVED],
) {
    let blocks = child.len();
    let parent = &parent[..blocks];
    // Lengths are looked at once here, not for every block below.
    for row in &mut added {
        *row = &row[..blocks];
    }
    for row in &mut removed {
        *row = &row[..blocks];
    }
    for (at, child) in child.iter_mut().enumerate() {
        let mut sums = *vectors(&parent[at]);
        for row in added {
            for (sum, &weights) in sums.iter_mut().zip(vectors(&row[at])) {
                *sum = _mm256_add_epi16(*sum, weights);
            }
        }
        for row in removed {
            for (sum, &weights) in sums.iter_mut().zip(vectors(&row[at])) {
                *sum = _mm256_sub_epi16(*sum, weights);
            }
        }
        *vectors_mut(child) = sums;
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn rebuild(row: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
    let blocks = row.len();
    let (tiles, rest) = row.as_chunks_mut::<TILE>();
    for (number, tile) in tiles.iter_mut().enumerate() {
        rebuild_tile(tile, &table[number * TILE..], blocks, added, removed);
    }
    if let [block] = rest {
        let tile = std::array::from_mut(block);
        rebuild_tile(tile, &table[blocks - 1..], blocks, added, removed);
    }
}

/// The same for a few blocks, which stay in registers. `table` begins at theirs.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn rebuild_tile<const BLOCKS: usize>(
    tile: &mut [Block; BLOCKS],
    table: &[Block],
    stride: usize,
    added: &[u16],
    removed: &[u16],
) {
    let of = |feature: u16| &table[usize::from(feature) * stride..][..BLOCKS];
    let mut sums = [[_mm256_setzero_si256(); VECTORS]; BLOCKS];
    for (sums, block) in sums.iter_mut().zip(&*tile) {
        *sums = *vectors(block);
    }
    for &feature in added {
        for (sums, weights) in sums.iter_mut().zip(of(feature)) {
            for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = _mm256_add_epi16(*sum, weights);
            }
        }
    }
    for &feature in removed {
        for (sums, weights) in sums.iter_mut().zip(of(feature)) {
            for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = _mm256_sub_epi16(*sum, weights);
            }
        }
    }
    for (sums, block) in sums.iter().zip(tile) {
        *vectors_mut(block) = *sums;
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn output(us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
    let (for_us, for_them) = weights.split_at(us.len());
    let both = _mm256_add_epi32(weighted(us, for_us), weighted(them, for_them));
    let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(both));
    let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(both));
    let sums = _mm256_add_epi64(low, high);
    _mm256_extract_epi64::<0>(sums)
        + _mm256_extract_epi64::<1>(sums)
        + _mm256_extract_epi64::<2>(sums)
        + _mm256_extract_epi64::<3>(sums)
}

/// Eight sums of squares times weights. An activation times a weight fits 16 bits; the widest
/// two rows give a lane 256 products of at most 255² · 127, which fit 32.
#[inline]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn weighted(row: &[Block], weights: &[Block]) -> __m256i {
    let zero = _mm256_setzero_si256();
    let one = _mm256_set1_epi16(QA);
    let mut total = zero;
    for (sums, weights) in row.iter().zip(weights) {
        for (&sums, &weights) in vectors(sums).iter().zip(vectors(weights)) {
            let activations = _mm256_min_epi16(_mm256_max_epi16(sums, zero), one);
            let weighted = _mm256_mullo_epi16(activations, weights);
            total = _mm256_add_epi32(total, _mm256_madd_epi16(weighted, activations));
        }
    }
    total
}
