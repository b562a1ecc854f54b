//! The kernels with NEON, which every 64-bit ARM processor has: eight numbers at a time.

use super::implement;
use crate::nnue::QA;
use crate::nnue::accumulator::AccumulatorStack;
use crate::nnue::block::{Block, LANES};
use movegen::Position;
use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddlvq_s32, vaddq_s16, vdupq_n_s16, vdupq_n_s32, vget_low_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};

/// Numbers in a vector, and vectors in a block.
const WIDTH: usize = size_of::<int16x8_t>() / size_of::<i16>();
const VECTORS: usize = LANES / WIDTH;
/// So many blocks fill half of the thirty-two registers.
const TILE: usize = 2;

/// Proof that the processor has NEON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Neon(());

impl Neon {
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

implement!(Neon);

#[inline(always)]
fn vectors(block: &Block) -> &[int16x8_t; VECTORS] {
    // SAFETY: a block is as large and at least as aligned as these vectors, and any bits are
    // good in either.
    unsafe { &*std::ptr::from_ref(block).cast() }
}

#[inline(always)]
fn vectors_mut(block: &mut Block) -> &mut [int16x8_t; VECTORS] {
    // SAFETY: as above, and nobody else has the block.
    unsafe { &mut *std::ptr::from_mut(block).cast() }
}

#[target_feature(enable = "neon")]
fn value(neon: Neon, accumulators: &mut AccumulatorStack, position: &Position, ply: usize) -> i32 {
    accumulators.value_with(neon, position, ply)
}

#[inline]
#[target_feature(enable = "neon")]
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
                *sum = vaddq_s16(*sum, weights);
            }
        }
        for row in removed {
            for (sum, &weights) in sums.iter_mut().zip(vectors(&row[at])) {
                *sum = vsubq_s16(*sum, weights);
            }
        }
        *vectors_mut(child) = sums;
    }
}

#[inline]
#[target_feature(enable = "neon")]
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
#[target_feature(enable = "neon")]
fn rebuild_tile<const BLOCKS: usize>(
    tile: &mut [Block; BLOCKS],
    table: &[Block],
    stride: usize,
    added: &[u16],
    removed: &[u16],
) {
    let of = |feature: u16| &table[usize::from(feature) * stride..][..BLOCKS];
    let mut sums = [[vdupq_n_s16(0); VECTORS]; BLOCKS];
    for (sums, block) in sums.iter_mut().zip(&*tile) {
        *sums = *vectors(block);
    }
    for &feature in added {
        for (sums, weights) in sums.iter_mut().zip(of(feature)) {
            for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = vaddq_s16(*sum, weights);
            }
        }
    }
    for &feature in removed {
        for (sums, weights) in sums.iter_mut().zip(of(feature)) {
            for (sum, &weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = vsubq_s16(*sum, weights);
            }
        }
    }
    for (sums, block) in sums.iter().zip(tile) {
        *vectors_mut(block) = *sums;
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn output(us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
    let (for_us, for_them) = weights.split_at(us.len());
    vaddlvq_s32(weighted(us, for_us)) + vaddlvq_s32(weighted(them, for_them))
}

/// Four sums of squares times weights. An activation times a weight fits 16 bits; the widest
/// row gives a lane 256 products of at most 255² · 127, which fit 32.
#[inline]
#[target_feature(enable = "neon")]
fn weighted(row: &[Block], weights: &[Block]) -> int32x4_t {
    let zero = vdupq_n_s16(0);
    let one = vdupq_n_s16(QA);
    let mut total = vdupq_n_s32(0);
    for (sums, weights) in row.iter().zip(weights) {
        for (&sums, &weights) in vectors(sums).iter().zip(vectors(weights)) {
            let activations = vminq_s16(vmaxq_s16(sums, zero), one);
            let weighted = vmulq_s16(activations, weights);
            total = vmlal_s16(total, vget_low_s16(weighted), vget_low_s16(activations));
            total = vmlal_high_s16(total, weighted, activations);
        }
    }
    total
}
