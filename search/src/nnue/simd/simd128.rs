//! The kernels with the 128-bit vectors of WebAssembly, 8 numbers at a time.

#![allow(
    unused_unsafe,
    reason = "functions for features of WebAssembly are safe to call"
)]

use super::{SimdOps, SimdTask, simd_ops};
use crate::nnue::QA;
use crate::nnue::network::Block;
use std::arch::wasm32::{
    i16x8_add, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8,
    i32x4_extract_lane, i32x4_splat, v128,
};

/// Proof that the program may use these vectors, without which it would not have been loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Simd128(());

impl Simd128 {
    pub(super) fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

simd_ops!(
    Simd128, features "simd128", vector v128,
    add i16x8_add, subtract i16x8_sub, zero i16x8_splat(0),
    // Half of the 16 registers that x86-64 has for them.
    tile 1
);

#[inline]
#[target_feature(enable = "simd128")]
fn output(us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
    let (for_us, for_them) = weights.split_at(us.len());
    sum(weighted(us, for_us)) + sum(weighted(them, for_them))
}

/// Four sums of weighted SCReLUs. An activation times a weight fits 16 bits; the widest row
/// gives a lane 256 products of at most 255² · 127, which fit 32.
#[inline]
#[target_feature(enable = "simd128")]
fn weighted(row: &[Block], weights: &[Block]) -> v128 {
    let zero = i16x8_splat(0);
    let one = i16x8_splat(QA);
    let mut total = i32x4_splat(0);
    for (sums, weights) in row.iter().zip(weights) {
        for (&sums, &weights) in vectors(sums).iter().zip(vectors(weights)) {
            let activations = i16x8_min(i16x8_max(sums, zero), one);
            let weighted = i16x8_mul(activations, weights);
            total = i32x4_add(total, i32x4_dot_i16x8(weighted, activations));
        }
    }
    total
}

#[inline]
#[target_feature(enable = "simd128")]
fn sum(lanes: v128) -> i64 {
    i64::from(i32x4_extract_lane::<0>(lanes))
        + i64::from(i32x4_extract_lane::<1>(lanes))
        + i64::from(i32x4_extract_lane::<2>(lanes))
        + i64::from(i32x4_extract_lane::<3>(lanes))
}
