//! The attacks of all sliders of a side at once, by Kogge-Stone fills of four directions in each of
//! two vectors.

use crate::bitboard::Bitboard;
use core::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64,
};

const NOT_A_FILE: i64 = !0x0101_0101_0101_0101;
const NOT_H_FILE: i64 = !(0x0101_0101_0101_0101 << 7);

/// The squares attacked by orthogonal and diagonal sliders, given the occupied squares. Each step
/// doubles the distance covered; masks keep the directions with a file from wrapping around.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn fill(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    let (orthogonal, diagonal) = (orthogonal.0 as i64, diagonal.0 as i64);
    let sliders = _mm256_set_epi64x(diagonal, diagonal, orthogonal, orthogonal);
    let occupied = _mm256_set1_epi64x(occupied.0 as i64);
    // North-west, north-east, east and north; their opposites are shifts to the right.
    let shift = _mm256_set_epi64x(7, 9, 1, 8);
    let up_mask = _mm256_set_epi64x(NOT_H_FILE, NOT_A_FILE, NOT_A_FILE, -1);
    let down_mask = _mm256_set_epi64x(NOT_A_FILE, NOT_H_FILE, NOT_H_FILE, -1);

    let up = |set, distance: __m256i| _mm256_sllv_epi64(set, distance);
    let down = |set, distance: __m256i| _mm256_srlv_epi64(set, distance);
    let both = _mm256_or_si256(
        along(sliders, occupied, shift, up_mask, up),
        along(sliders, occupied, shift, down_mask, down),
    );
    let half = _mm_or_si128(
        _mm256_castsi256_si128(both),
        _mm256_extracti128_si256::<1>(both),
    );
    let attacked = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    Bitboard(_mm_cvtsi128_si64(attacked) as u64)
}

/// The attacks in the four directions that `shifted` shifts to.
#[target_feature(enable = "avx2")]
#[inline]
fn along(
    sliders: __m256i,
    occupied: __m256i,
    shift: __m256i,
    mask: __m256i,
    shifted: impl Fn(__m256i, __m256i) -> __m256i,
) -> __m256i {
    let mut reached = sliders;
    let mut free = _mm256_andnot_si256(occupied, mask);
    let mut distance = shift;
    for _ in 0..3 {
        reached = _mm256_or_si256(reached, _mm256_and_si256(free, shifted(reached, distance)));
        free = _mm256_and_si256(free, shifted(free, distance));
        distance = _mm256_slli_epi64::<1>(distance);
    }
    _mm256_and_si256(mask, shifted(reached, shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;

    #[test]
    fn fills_equal_lookups() {
        if !std::is_x86_feature_detected!("avx2") {
            return;
        }
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            // xorshift64
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            Bitboard(state)
        };
        for _ in 0..10_000 {
            let (orthogonal, diagonal) = (random() & random() & random(), random() & random());
            let occupied = orthogonal | diagonal | random() & random();
            // SAFETY: the processor has AVX2.
            let filled = unsafe { fill(orthogonal, diagonal, occupied) };
            assert_eq!(filled, attacks::sliders(orthogonal, diagonal, occupied));
        }
    }
}
