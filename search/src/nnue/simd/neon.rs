//! The kernels with NEON, which every 64-bit ARM processor has, 8 numbers at a time.

use super::{SimdOps, SimdTask, simd_ops};
use crate::nnue::QA;
use crate::nnue::network::Block;
use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddlvq_s32, vaddq_s16, vdupq_n_s16, vdupq_n_s32, vget_low_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};

/// Proof that the processor has NEON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Neon(());

impl Neon {
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

simd_ops!(
    Neon, features "neon", vector int16x8_t,
    add vaddq_s16, subtract vsubq_s16, zero vdupq_n_s16(0),
    // Half of the 32 registers.
    tile 2
);

#[inline]
#[target_feature(enable = "neon")]
fn output(us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
    let (for_us, for_them) = weights.split_at(us.len());
    vaddlvq_s32(weighted(us, for_us)) + vaddlvq_s32(weighted(them, for_them))
}

/// Four sums of weighted SCReLUs. An activation times a weight fits 16 bits; the widest row
/// gives a lane 256 products of at most 255² · 127, which fit 32.
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
