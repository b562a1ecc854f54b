//! The operations on lanes of the x86 instruction sets.

use super::ops::x86::{Avx2, Avx512};
use super::ops::{LaneOps, cast};
use std::arch::x86_64::*;

// SAFETY (of every operation): a token exists only where its instructions were detected.
macro_rules! lane_ops {
    ($token:ident, $sets:ty; $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        #[allow(unused_unsafe, reason = "some operations need no instructions")]
        impl LaneOps for $token {
            type Sets = $sets;

            $(#[inline(always)]
            fn $name(self, $($argument: $type),*) -> $result {
                // SAFETY: as said above.
                unsafe { $body }
            })*
        }
    };
}

lane_ops!(Avx512, __m512i;
    fn load(sets: &[u64; 8]) -> __m512i { cast(sets) }
    fn to_array(sets: __m512i) -> [u64; 8] { cast(&sets) }
    fn halves(low: u64, high: u64) -> __m512i {
        _mm512_mask_set1_epi64(_mm512_set1_epi64(low as i64), 0xf0, high as i64)
    }
    fn pairs(first: u64, second: u64) -> __m512i {
        _mm512_mask_set1_epi64(_mm512_set1_epi64(first as i64), 0xcc, second as i64)
    }
    fn and(left: __m512i, right: __m512i) -> __m512i { _mm512_and_si512(left, right) }
    fn and_not(left: __m512i, right: __m512i) -> __m512i { _mm512_andnot_si512(right, left) }
    fn or(left: __m512i, right: __m512i) -> __m512i { _mm512_or_si512(left, right) }
    fn shift(sets: __m512i, distances: &'static [u64; 4]) -> __m512i {
        let [a, b, c, d] = *distances;
        _mm512_rolv_epi64(sets, cast(&[a, b, c, d, 64 - a, 64 - b, 64 - c, 64 - d]))
    }
    fn low_halves(first: __m512i, second: __m512i) -> __m512i {
        _mm512_shuffle_i64x2::<0x44>(first, second)
    }
    fn high_halves(first: __m512i, second: __m512i) -> __m512i {
        _mm512_shuffle_i64x2::<0xee>(first, second)
    }
    fn join_pairs(first: __m512i, second: __m512i) -> __m512i {
        _mm512_or_si512(
            _mm512_unpacklo_epi64(first, second),
            _mm512_unpackhi_epi64(first, second),
        )
    }
    fn join_quads(first: __m512i, second: __m512i) -> __m512i {
        _mm512_or_si512(
            _mm512_shuffle_i64x2::<0x88>(first, second),
            _mm512_shuffle_i64x2::<0xdd>(first, second),
        )
    }
    fn swap_lanes(sets: __m512i) -> __m512i { _mm512_shuffle_epi32::<0x4e>(sets) }
    fn swap_pairs(sets: __m512i) -> __m512i { _mm512_permutex_epi64::<0x4e>(sets) }
    fn swap_halves(sets: __m512i) -> __m512i { _mm512_shuffle_i64x2::<0x4e>(sets, sets) }
    fn cross(rows: &[u64; 8], targets: &[u64; 8]) -> [u8; 64] {
        let targets: __m512i = cast(targets);
        macro_rules! counts {
            ($($row:literal),*) => {{
                let mut counts = _mm512_setzero_si512();
                $(
                    let row = _mm512_set1_epi64(rows[$row] as i64);
                    let common = _mm512_popcnt_epi64(_mm512_and_si512(targets, row));
                    counts = _mm512_or_si512(counts, _mm512_slli_epi64::<{ 8 * $row }>(common));
                )*
                counts
            }};
        }
        let counts = counts!(0, 1, 2, 3, 4, 5, 6, 7);
        cast(&counts)
    }
);

lane_ops!(Avx2, [__m256i; 2];
    fn load(sets: &[u64; 8]) -> [__m256i; 2] { cast(sets) }
    fn to_array(sets: [__m256i; 2]) -> [u64; 8] { cast(&sets) }
    fn halves(low: u64, high: u64) -> [__m256i; 2] {
        [_mm256_set1_epi64x(low as i64), _mm256_set1_epi64x(high as i64)]
    }
    fn pairs(first: u64, second: u64) -> [__m256i; 2] {
        let (first, second) = (_mm256_set1_epi64x(first as i64), _mm256_set1_epi64x(second as i64));
        [_mm256_blend_epi32::<0xf0>(first, second); 2]
    }
    fn and(left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_and_si256(left[0], right[0]), _mm256_and_si256(left[1], right[1])]
    }
    fn and_not(left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_andnot_si256(right[0], left[0]), _mm256_andnot_si256(right[1], left[1])]
    }
    fn or(left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_or_si256(left[0], right[0]), _mm256_or_si256(left[1], right[1])]
    }
    fn shift(sets: [__m256i; 2], distances: &'static [u64; 4]) -> [__m256i; 2] {
        let distances = cast(distances);
        [_mm256_sllv_epi64(sets[0], distances), _mm256_srlv_epi64(sets[1], distances)]
    }
    fn low_halves(first: [__m256i; 2], second: [__m256i; 2]) -> [__m256i; 2] {
        [first[0], second[0]]
    }
    fn high_halves(first: [__m256i; 2], second: [__m256i; 2]) -> [__m256i; 2] {
        [first[1], second[1]]
    }
    fn join_pairs(first: [__m256i; 2], second: [__m256i; 2]) -> [__m256i; 2] {
        [
            _mm256_or_si256(
                _mm256_unpacklo_epi64(first[0], second[0]),
                _mm256_unpackhi_epi64(first[0], second[0]),
            ),
            _mm256_or_si256(
                _mm256_unpacklo_epi64(first[1], second[1]),
                _mm256_unpackhi_epi64(first[1], second[1]),
            ),
        ]
    }
    fn join_quads(first: [__m256i; 2], second: [__m256i; 2]) -> [__m256i; 2] {
        [
            _mm256_or_si256(
                _mm256_permute2x128_si256::<0x20>(first[0], first[1]),
                _mm256_permute2x128_si256::<0x31>(first[0], first[1]),
            ),
            _mm256_or_si256(
                _mm256_permute2x128_si256::<0x20>(second[0], second[1]),
                _mm256_permute2x128_si256::<0x31>(second[0], second[1]),
            ),
        ]
    }
    fn swap_lanes(sets: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_shuffle_epi32::<0x4e>(sets[0]), _mm256_shuffle_epi32::<0x4e>(sets[1])]
    }
    fn swap_pairs(sets: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_permute4x64_epi64::<0x4e>(sets[0]), _mm256_permute4x64_epi64::<0x4e>(sets[1])]
    }
    fn swap_halves(sets: [__m256i; 2]) -> [__m256i; 2] { [sets[1], sets[0]] }
    fn cross(rows: &[u64; 8], targets: &[u64; 8]) -> [u8; 64] {
        let targets: [__m256i; 2] = cast(targets);
        // The numbers of bits of the sixteen nibbles.
        let bits = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4),
        );
        let low = _mm256_set1_epi8(0x0f);
        macro_rules! counts {
            ($targets:expr, $($row:literal),*) => {{
                let mut counts = _mm256_setzero_si256();
                $(
                    let row = _mm256_set1_epi64x(rows[$row] as i64);
                    let common = _mm256_and_si256($targets, row);
                    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(common), low);
                    let bytes = _mm256_add_epi8(
                        _mm256_shuffle_epi8(bits, _mm256_and_si256(common, low)),
                        _mm256_shuffle_epi8(bits, high),
                    );
                    let common = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
                    counts = _mm256_or_si256(counts, _mm256_slli_epi64::<{ 8 * $row }>(common));
                )*
                counts
            }};
        }
        let counts = [
            counts!(targets[0], 0, 1, 2, 3, 4, 5, 6, 7),
            counts!(targets[1], 0, 1, 2, 3, 4, 5, 6, 7),
        ];
        cast(&counts)
    }
);
