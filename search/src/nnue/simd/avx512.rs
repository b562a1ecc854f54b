//! The kernels with AVX-512: thirty-two numbers at a time, and products summed in one step.

use super::implement;
use crate::nnue::QA;
use crate::nnue::accumulator::AccumulatorStack;
use crate::nnue::block::{Block, LANES};
use movegen::Position;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256,
    _mm512_cvtepi32_epi64, _mm512_dpwssd_epi32, _mm512_extracti64x4_epi64, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi64, _mm512_set1_epi16,
    _mm512_setzero_si512, _mm512_sub_epi16,
};

/// Numbers in a vector, and vectors in a block.
const WIDTH: usize = size_of::<__m512i>() / size_of::<i16>();
const VECTORS: usize = LANES / WIDTH;
/// So many blocks fill a quarter of the thirty-two registers.
const TILE: usize = 4;

/// Proof that the processor has the parts of AVX-512 that are used here, VNNI among them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

implement!(Avx512);

#[inline(always)]
fn vectors(block: &Block) -> &[__m512i; VECTORS] {
    // SAFETY: a block is as large and as aligned as these vectors, and any bits are good in
    // either.
    unsafe { &*std::ptr::from_ref(block).cast() }
}

#[inline(always)]
fn vectors_mut(block: &mut Block) -> &mut [__m512i; VECTORS] {
    // SAFETY: as above, and nobody else has the block.
    unsafe { &mut *std::ptr::from_mut(block).cast() }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn value(
    avx512: Avx512,
    accumulators: &mut AccumulatorStack,
    position: &Position,
    ply: usize,
) -> i32 {
    accumulators.value_with(avx512, position, ply)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
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
                *sum = _mm512_add_epi16(*sum, weights);
            }
        }
        for row in removed {
            for (sum, &weights) in sums.iter_mut().zip(vectors(&row[at])) {
                *sum = _mm512_sub_epi16(*sum, weights);
            }
        }
        *vectors_mut(child) = sums;
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn rebuild(row: &mut [Block], table: &[Block], added: &[u16], removed: &[u16]) {
    let blocks = row.len();
    let (tiles, rest) = row.as_chunks_mut::<TILE>();
    let done = tiles.len() * TILE;
    for (number, tile) in tiles.iter_mut().enumerate() {
        rebuild_tile(tile, &table[number * TILE..], blocks, added, removed);
    }
    for (number, block) in rest.iter_mut().enumerate() {
        let tile = std::array::from_mut(block);
        rebuild_tile(tile, &table[done + number..], blocks, added, removed);
    }
}

/// The same for a few blocks, which stay in registers. `table` begins at theirs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn rebuild_tile<const BLOCKS: usize>(
    tile: &mut [Block; BLOCKS],
    table: &[Block],
    stride: usize,
    added: &[u16],
    removed: &[u16],
) {
    let of = |feature: u16| &table[usize::from(feature) * stride..][..BLOCKS];
    let mut sums = [[_mm512_setzero_si512(); VECTORS]; BLOCKS];
    for (sums, block) in sums.iter_mut().zip(&*tile) {
        *sums = *vectors(block);
    }
    for &feature in added {
        for (sums, weights) in sums.iter_mut().zip(of(feature)) {
            for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = _mm512_add_epi16(*sum, weights);
            }
        }
    }
    for &feature in removed {
        for (sums, weights) in sums.iter_mut().zip(of(feature)) {
            for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = _mm512_sub_epi16(*sum, weights);
            }
        }
    }
    for (sums, block) in sums.iter().zip(tile) {
        *vectors_mut(block) = *sums;
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn output(us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
    let (for_us, for_them) = weights.split_at(us.len());
    let both = _mm512_add_epi32(weighted(us, for_us), weighted(them, for_them));
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(both));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(both));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}

/// Sixteen sums of squares times weights. An activation times a weight fits 16 bits; the
/// widest two rows give a lane 128 products of at most 255² · 127, which fit 32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn weighted(row: &[Block], weights: &[Block]) -> __m512i {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi16(QA);
    // Two totals, since each step waits several cycles for the one before.
    let mut totals = [zero; VECTORS];
    for (sums, weights) in row.iter().zip(weights) {
        let pairs = vectors(sums).iter().zip(vectors(weights));
        for (total, (&sums, &weights)) in totals.iter_mut().zip(pairs) {
            let activations = _mm512_min_epi16(_mm512_max_epi16(sums, zero), one);
            let weighted = _mm512_mullo_epi16(activations, weights);
            *total = _mm512_dpwssd_epi32(*total, weighted, activations);
        }
    }
    let [first, second] = totals;
    _mm512_add_epi32(first, second)
}
