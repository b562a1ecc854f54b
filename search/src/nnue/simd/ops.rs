//! The operations of each instruction set, on blocks of numbers. A new operation is a line in the
//! trait and in each set; all sets give the same numbers.

use super::{Block, SimdTask};

/// The operations of the network's arithmetic.
pub(in crate::nnue) trait SimdOps: Copy {
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

    /// Runs a task compiled for these instructions.
    fn run<T: SimdTask>(self, task: T) -> T::Output;
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
        types $i16:ty, $i32:ty;
        $(each $each:ident = $operation:path;)*
        $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*
    ) => {
        $(/// Proof that the processor has these instructions.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(in crate::nnue) struct $token(());

        impl $token {
            pub(in crate::nnue) fn detect() -> Option<Self> {
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
unsafe fn cast<From, To>(from: &From) -> To {
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
);

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use super::{Block, SimdOps, SimdTask, cast};
    use std::arch::x86_64::*;

    simd_ops!(
        Avx2, features "avx2,bmi1,popcnt",
        detected is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt"),
        types [__m256i; 4], [__m256i; 2];
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
    );

    // VNNI multiplies and adds in one step.
    simd_ops!(
        Avx512, features "avx512f,avx512bw,avx512vnni,bmi1,popcnt",
        detected is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt"),
        types [__m512i; 2], __m512i;
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
    );
}

#[cfg(target_arch = "aarch64")]
pub(super) mod arm {
    use super::{Block, SimdOps, SimdTask, cast};
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
    );
}

#[cfg(target_feature = "simd128")]
pub(super) mod wasm {
    use super::{Block, SimdOps, SimdTask, cast};
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
    );
}
