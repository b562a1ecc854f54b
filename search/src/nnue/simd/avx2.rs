//! The kernels with AVX2, 16 numbers at a time.

use super::{SimdOps, SimdTask, simd_ops};
use crate::nnue::QA;
use crate::nnue::network::Block;
use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64, _mm256_castsi256_si128,
    _mm256_cvtepi32_epi64, _mm256_extract_epi64, _mm256_extracti128_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_sub_epi16,
};

/// Proof that the processor has AVX2 and its companions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let detected = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt");
        detected.then_some(Self(()))
    }
}

simd_ops!(
    Avx2, features "avx2,bmi1,popcnt", vector __m256i,
    add _mm256_add_epi16, subtract _mm256_sub_epi16, zero _mm256_setzero_si256(),
    // Half of the 16 registers.
    tile 2
);

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

/// Eight sums of weighted SCReLUs. An activation times a weight fits 16 bits; the widest two
/// rows give a lane 256 products of at most 255² · 127, which fit 32.
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
