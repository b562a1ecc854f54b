//! The kernels with AVX-512, 32 numbers at a time, with VNNI's multiply and add in one step.

use super::{SimdOps, SimdTask, simd_ops};
use crate::nnue::QA;
use crate::nnue::network::Block;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256,
    _mm512_cvtepi32_epi64, _mm512_dpwssd_epi32, _mm512_extracti64x4_epi64, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi64, _mm512_set1_epi16,
    _mm512_setzero_si512, _mm512_sub_epi16,
};

/// Proof that the processor has the parts of AVX-512 used here, VNNI among them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let detected = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt");
        detected.then_some(Self(()))
    }
}

simd_ops!(
    Avx512, features "avx512f,avx512bw,avx512vnni,bmi1,popcnt", vector __m512i,
    add _mm512_add_epi16, subtract _mm512_sub_epi16, zero _mm512_setzero_si512(),
    // A quarter of the 32 registers.
    tile 4
);

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn output(us: &[Block], them: &[Block], weights: &[Block]) -> i64 {
    let (for_us, for_them) = weights.split_at(us.len());
    let both = _mm512_add_epi32(weighted(us, for_us), weighted(them, for_them));
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(both));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(both));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}

/// Sixteen sums of weighted SCReLUs. An activation times a weight fits 16 bits; the widest two
/// rows give a lane 128 products of at most 255² · 127, which fit 32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,bmi1,popcnt")]
fn weighted(row: &[Block], weights: &[Block]) -> __m512i {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi16(QA);
    // Two totals, because each step waits several cycles for the one before.
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
