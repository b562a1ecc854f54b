//! The operations of each instruction set, on blocks of numbers. A new operation is a line in the
//! trait and in each set; all sets give the same numbers.

use super::{Block, SimdTask};

/// The operations of the network's arithmetic.
pub(crate) trait SimdOps: Copy {
    /// A block of 16-bit numbers.
    type I16: Copy;
    /// Sixteen 32-bit sums.
    type I32: Copy;

    fn load(self, block: &Block<i16>) -> Self::I16;
    fn load_i8(self, block: &Block<i8>) -> Self::I16;
    fn store(self, block: &mut Block<i16>, numbers: Self::I16);
    fn sums(self, sums: [i32; 16]) -> Self::I32;
    fn to_array(self, sums: Self::I32) -> [i32; 16];

    fn add(self, left: Self::I16, right: Self::I16) -> Self::I16;
    fn subtract(self, left: Self::I16, right: Self::I16) -> Self::I16;
    /// The low 16 bits of each product.
    fn multiply(self, left: Self::I16, right: Self::I16) -> Self::I16;
    fn minimum(self, left: Self::I16, right: Self::I16) -> Self::I16;
    fn maximum(self, left: Self::I16, right: Self::I16) -> Self::I16;
    /// Adds four of the 64 products to each sum.
    fn add_products(self, sums: Self::I32, left: Self::I16, right: Self::I16) -> Self::I32;
    fn add_sums(self, left: Self::I32, right: Self::I32) -> Self::I32;
    /// Adds to each sum the products of four numbers with four weights of its own, twice. No
    /// number exceeds 64.
    fn add_groups(
        self,
        sums: Self::I32,
        numbers: &[[u8; 4]; 2],
        weights: [&Block<i8>; 2],
    ) -> Self::I32;

    /// Runs a task on lanes of these instructions, where there are any.
    #[inline(always)]
    fn run_on_lanes<T: LaneTask>(self, task: T) -> T::Output {
        task.run_without()
    }

    /// Runs a task compiled for these instructions.
    fn run<T: SimdTask>(self, task: T) -> T::Output;
}

/// Eight lanes in two halves, each with a set of squares.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "other sets have no lanes")
)]
pub(crate) trait LaneOps: Copy {
    type Sets: Copy;

    fn load(self, sets: &[u64; 8]) -> Self::Sets;
    fn to_array(self, sets: Self::Sets) -> [u64; 8];
    /// The first set in all lanes of the low half, the second in those of the high one.
    fn halves(self, low: u64, high: u64) -> Self::Sets;
    /// The first set in the first pair of lanes of each half, the second in the other pairs.
    fn pairs(self, first: u64, second: u64) -> Self::Sets;

    fn and(self, left: Self::Sets, right: Self::Sets) -> Self::Sets;
    /// The left ones without the right ones.
    fn and_not(self, left: Self::Sets, right: Self::Sets) -> Self::Sets;
    fn or(self, left: Self::Sets, right: Self::Sets) -> Self::Sets;
    /// Shifts the lanes of the low half left, those of the high half right. What is shifted out
    /// may come in at the other end.
    fn shift(self, sets: Self::Sets, distances: &'static [u64; 4]) -> Self::Sets;

    /// The low half of each.
    fn low_halves(self, first: Self::Sets, second: Self::Sets) -> Self::Sets;
    fn high_halves(self, first: Self::Sets, second: Self::Sets) -> Self::Sets;
    /// Unions of neighboring lanes: for each pair of the first in an even lane, for each of the
    /// second in the odd lane after it.
    fn join_pairs(self, first: Self::Sets, second: Self::Sets) -> Self::Sets;
    /// Unions of the pairs of a half: those of the first in the low half, those of the second in
    /// the high one.
    fn join_quads(self, first: Self::Sets, second: Self::Sets) -> Self::Sets;
    /// Exchanges the lanes of each pair.
    fn swap_lanes(self, sets: Self::Sets) -> Self::Sets;
    /// Exchanges the pairs of each half.
    fn swap_pairs(self, sets: Self::Sets) -> Self::Sets;
    fn swap_halves(self, sets: Self::Sets) -> Self::Sets;

    /// The number of squares that each row has in common with each target; those of a target are
    /// together.
    #[inline(always)]
    fn cross(self, rows: &[u64; 8], targets: &[u64; 8]) -> [u8; 64] {
        std::array::from_fn(|index| (rows[index % 8] & targets[index / 8]).count_ones() as u8)
    }
}

/// Work on lanes, where an instruction set has any, and another way to the same result.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "other sets have no lanes")
)]
pub(crate) trait LaneTask {
    type Output;

    /// Must be `#[inline(always)]`, to be compiled into its caller.
    fn run<O: LaneOps>(self, ops: O) -> Self::Output;
    fn run_without(self) -> Self::Output;
}

/// An operation on each pair of vectors.
macro_rules! each {
    ($operation:path, $left:ident, $right:ident) => {{
        let mut results = $left;
        for (left, &right) in results.iter_mut().zip(&$right) {
            *left = $operation(*left, right);
        }
        results
    }};
}

/// Implements `SimdOps` for a token type, which exists only where its instructions do. `types` are
/// the vectors of a block of 16-bit numbers and of the sums, `each` operations on pairs of vectors.
macro_rules! simd_ops {
    (
        $token:ident, $(features $features:literal, detected $detected:expr,)?
        types $i16:ty, $i32:ty; $(lanes $run_on_lanes:ident;)?
        $(each $each:ident = $operation:path;)*
        $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*
    ) => {
        $(/// Proof that the processor has these instructions.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $token(());

        impl $token {
            pub(crate) fn detect() -> Option<Self> {
                $detected.then_some(Self(()))
            }
        })?

        // SAFETY (of every operation): a token exists only where its instructions were detected.
        #[allow(unused_unsafe, reason = "some sets need no instructions that may be missing")]
        impl SimdOps for $token {
            type I16 = $i16;
            type I32 = $i32;

            #[inline(always)]
            fn load(self, block: &Block<i16>) -> $i16 {
                // SAFETY: any bits are valid numbers.
                unsafe { cast(block) }
            }

            #[inline(always)]
            fn store(self, block: &mut Block<i16>, numbers: $i16) {
                // SAFETY: as above.
                *block = unsafe { cast(&numbers) };
            }

            #[inline(always)]
            fn sums(self, sums: [i32; 16]) -> $i32 {
                // SAFETY: as above.
                unsafe { cast(&sums) }
            }

            #[inline(always)]
            fn to_array(self, sums: $i32) -> [i32; 16] {
                // SAFETY: as above.
                unsafe { cast(&sums) }
            }

            $(#[inline(always)]
            fn run_on_lanes<T: LaneTask>(self, task: T) -> T::Output {
                task.$run_on_lanes(self)
            })?

            $(#[inline(always)]
            fn $each(self, left: $i16, right: $i16) -> $i16 {
                // SAFETY: as said above the implementation.
                unsafe { each!($operation, left, right) }
            })*

            $(#[inline(always)]
            fn $name(self, $($argument: $type),*) -> $result {
                // SAFETY: as said above the implementation.
                unsafe { $body }
            })*

            #[inline(always)]
            fn run<T: SimdTask>(self, task: T) -> T::Output {
                $(#[target_feature(enable = $features)])?
                #[inline(never)]
                fn run<T: SimdTask>(token: $token, task: T) -> T::Output {
                    task.run(token)
                }
                // SAFETY: as said above the implementation.
                unsafe { run(self, task) }
            }
        }
    };
}

/// Numbers as vectors, and back.
///
/// # Safety
///
/// Any bits must be valid in both.
#[inline(always)]
pub(super) unsafe fn cast<From, To>(from: &From) -> To {
    const { assert!(size_of::<From>() == size_of::<To>()) };
    // SAFETY: they are equally large.
    unsafe { std::mem::transmute_copy(from) }
}

/// Any processor, one number at a time: the reference for all others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Scalar;

simd_ops!(
    Scalar, types [i16; 64], [i32; 16];
    each add = i16::wrapping_add;
    each subtract = i16::wrapping_sub;
    each multiply = i16::wrapping_mul;
    each minimum = Ord::min;
    each maximum = Ord::max;

    fn load_i8(block: &Block<i8>) -> [i16; 64] {
        block.0.map(i16::from)
    }
    fn add_products(sums: [i32; 16], left: [i16; 64], right: [i16; 64]) -> [i32; 16] {
        let mut sums = sums;
        for (index, (left, right)) in left.into_iter().zip(right).enumerate() {
            sums[index % 16] += i32::from(left) * i32::from(right);
        }
        sums
    }
    fn add_sums(left: [i32; 16], right: [i32; 16]) -> [i32; 16] {
        each!(i32::wrapping_add, left, right)
    }
    fn add_groups(sums: [i32; 16], numbers: &[[u8; 4]; 2], weights: [&Block<i8>; 2]) -> [i32; 16] {
        add_groups(sums, numbers, weights)
    }
);

/// In plain loops.
#[inline(always)]
fn add_groups(mut sums: [i32; 16], numbers: &[[u8; 4]; 2], weights: [&Block<i8>; 2]) -> [i32; 16] {
    for (numbers, weights) in numbers.iter().zip(weights) {
        let (weights, _) = weights.0.as_chunks::<4>();
        for (sum, weights) in sums.iter_mut().zip(weights) {
            for (&number, &weight) in numbers.iter().zip(weights) {
                *sum += i32::from(number) * i32::from(weight);
            }
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use super::{Block, LaneTask, SimdOps, SimdTask, cast};
    use std::arch::x86_64::*;

    simd_ops!(
        Avx2, features "avx2,bmi1,popcnt",
        detected is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt"),
        types [__m256i; 4], [__m256i; 2]; lanes run;
        each add = _mm256_add_epi16;
        each subtract = _mm256_sub_epi16;
        each multiply = _mm256_mullo_epi16;
        each minimum = _mm256_min_epi16;
        each maximum = _mm256_max_epi16;

        fn load_i8(block: &Block<i8>) -> [__m256i; 4] {
            let [a, b, c, d]: [__m128i; 4] = cast(block);
            [
                _mm256_cvtepi8_epi16(a),
                _mm256_cvtepi8_epi16(b),
                _mm256_cvtepi8_epi16(c),
                _mm256_cvtepi8_epi16(d),
            ]
        }
        fn add_products(sums: [__m256i; 2], left: [__m256i; 4], right: [__m256i; 4])
            -> [__m256i; 2]
        {
            let [a, b, c, d] = each!(_mm256_madd_epi16, left, right);
            [
                _mm256_add_epi32(sums[0], _mm256_add_epi32(a, b)),
                _mm256_add_epi32(sums[1], _mm256_add_epi32(c, d)),
            ]
        }
        fn add_sums(left: [__m256i; 2], right: [__m256i; 2]) -> [__m256i; 2] {
            each!(_mm256_add_epi32, left, right)
        }
        fn add_groups(sums: [__m256i; 2], numbers: &[[u8; 4]; 2], weights: [&Block<i8>; 2])
            -> [__m256i; 2]
        {
            // Four products of at most 64 and 127 fit 16 bits.
            let numbers = [
                _mm256_set1_epi32(i32::from_le_bytes(numbers[0])),
                _mm256_set1_epi32(i32::from_le_bytes(numbers[1])),
            ];
            let weights: [[__m256i; 2]; 2] = [cast(weights[0]), cast(weights[1])];
            let low = _mm256_add_epi16(
                _mm256_maddubs_epi16(numbers[0], weights[0][0]),
                _mm256_maddubs_epi16(numbers[1], weights[1][0]),
            );
            let high = _mm256_add_epi16(
                _mm256_maddubs_epi16(numbers[0], weights[0][1]),
                _mm256_maddubs_epi16(numbers[1], weights[1][1]),
            );
            let ones = _mm256_set1_epi16(1);
            [
                _mm256_add_epi32(sums[0], _mm256_madd_epi16(low, ones)),
                _mm256_add_epi32(sums[1], _mm256_madd_epi16(high, ones)),
            ]
        }
    );

    // VNNI multiplies and adds in one step.
    simd_ops!(
        Avx512, features "avx512f,avx512bw,avx512vnni,avx512vpopcntdq,bmi1,popcnt",
        detected is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt"),
        types [__m512i; 2], __m512i; lanes run;
        each add = _mm512_add_epi16;
        each subtract = _mm512_sub_epi16;
        each multiply = _mm512_mullo_epi16;
        each minimum = _mm512_min_epi16;
        each maximum = _mm512_max_epi16;

        fn load_i8(block: &Block<i8>) -> [__m512i; 2] {
            let [low, high]: [__m256i; 2] = cast(block);
            [_mm512_cvtepi8_epi16(low), _mm512_cvtepi8_epi16(high)]
        }
        fn add_products(sums: __m512i, left: [__m512i; 2], right: [__m512i; 2]) -> __m512i {
            let sums = _mm512_dpwssd_epi32(sums, left[0], right[0]);
            _mm512_dpwssd_epi32(sums, left[1], right[1])
        }
        fn add_sums(left: __m512i, right: __m512i) -> __m512i {
            _mm512_add_epi32(left, right)
        }
        fn add_groups(sums: __m512i, numbers: &[[u8; 4]; 2], weights: [&Block<i8>; 2])
            -> __m512i
        {
            let first = _mm512_set1_epi32(i32::from_le_bytes(numbers[0]));
            let second = _mm512_set1_epi32(i32::from_le_bytes(numbers[1]));
            let sums = _mm512_dpbusd_epi32(sums, first, cast(weights[0]));
            _mm512_dpbusd_epi32(sums, second, cast(weights[1]))
        }
    );
}

#[cfg(target_arch = "aarch64")]
pub(super) mod arm {
    use super::{Block, SimdOps, SimdTask, add_groups, cast};
    use std::arch::aarch64::*;

    simd_ops!(
        Neon, features "neon", detected std::arch::is_aarch64_feature_detected!("neon"),
        types [int16x8_t; 8], [int32x4_t; 4];
        each add = vaddq_s16;
        each subtract = vsubq_s16;
        each multiply = vmulq_s16;
        each minimum = vminq_s16;
        each maximum = vmaxq_s16;

        fn load_i8(block: &Block<i8>) -> [int16x8_t; 8] {
            let [a, b, c, d, e, f, g, h]: [int8x8_t; 8] = cast(block);
            [
                vmovl_s8(a),
                vmovl_s8(b),
                vmovl_s8(c),
                vmovl_s8(d),
                vmovl_s8(e),
                vmovl_s8(f),
                vmovl_s8(g),
                vmovl_s8(h),
            ]
        }
        fn add_products(sums: [int32x4_t; 4], left: [int16x8_t; 8], right: [int16x8_t; 8])
            -> [int32x4_t; 4]
        {
            let mut sums = sums;
            for (index, (&left, &right)) in left.iter().zip(&right).enumerate() {
                let sum = &mut sums[index % 4];
                *sum = vmlal_s16(*sum, vget_low_s16(left), vget_low_s16(right));
                *sum = vmlal_high_s16(*sum, left, right);
            }
            sums
        }
        fn add_sums(left: [int32x4_t; 4], right: [int32x4_t; 4]) -> [int32x4_t; 4] {
            each!(vaddq_s32, left, right)
        }
        fn add_groups(sums: [int32x4_t; 4], numbers: &[[u8; 4]; 2], weights: [&Block<i8>; 2]) -> [int32x4_t; 4] {
            cast(&add_groups(cast(&sums), numbers, weights))
        }
    );
}

#[cfg(target_feature = "simd128")]
pub(super) mod wasm {
    use super::{Block, SimdOps, SimdTask, add_groups, cast};
    use std::arch::wasm32::*;

    // The program would not have been loaded where these instructions are missing.
    simd_ops!(
        Simd128, features "simd128", detected true, types [v128; 8], [v128; 4];
        each add = i16x8_add;
        each subtract = i16x8_sub;
        each multiply = i16x8_mul;
        each minimum = i16x8_min;
        each maximum = i16x8_max;

        fn load_i8(block: &Block<i8>) -> [v128; 8] {
            let [a, b, c, d]: [v128; 4] = cast(block);
            [
                i16x8_extend_low_i8x16(a),
                i16x8_extend_high_i8x16(a),
                i16x8_extend_low_i8x16(b),
                i16x8_extend_high_i8x16(b),
                i16x8_extend_low_i8x16(c),
                i16x8_extend_high_i8x16(c),
                i16x8_extend_low_i8x16(d),
                i16x8_extend_high_i8x16(d),
            ]
        }
        fn add_products(sums: [v128; 4], left: [v128; 8], right: [v128; 8]) -> [v128; 4] {
            let [a, b, c, d, e, f, g, h] = each!(i32x4_dot_i16x8, left, right);
            let (first, second) = ([a, b, c, d], [e, f, g, h]);
            let sums = each!(i32x4_add, sums, first);
            each!(i32x4_add, sums, second)
        }
        fn add_sums(left: [v128; 4], right: [v128; 4]) -> [v128; 4] {
            each!(i32x4_add, left, right)
        }
        fn add_groups(sums: [v128; 4], numbers: &[[u8; 4]; 2], weights: [&Block<i8>; 2]) -> [v128; 4] {
            cast(&add_groups(cast(&sums), numbers, weights))
        }
    );
}
