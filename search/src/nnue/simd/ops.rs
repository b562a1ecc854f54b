//! The operations of each instruction set, on blocks of numbers. A new operation is a line in the
//! trait and in each set; all sets give the same numbers.

use super::{Block, SimdTask};

/// What the network's arithmetic is written in.
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
    /// Each number of the first half times that of the second, in 512ths, for two blocks of
    /// numbers from 0 to 255: sixteen chunks of four 8-bit numbers.
    fn pairwise_products(self, us: Self::I16, them: Self::I16) -> Self::I32;
    /// A bit for each chunk that is not zero.
    fn nonzero(self, chunks: Self::I32) -> u16;
    /// Adds to each sum the dot product of its four weights and a chunk of numbers up to 127.
    fn add_dot_products(self, sums: Self::I32, chunk: i32, weights: &Block<i8>) -> Self::I32;

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
    fn pairwise_products(us: [i16; 64], them: [i16; 64]) -> [i32; 16] {
        std::array::from_fn(|chunk| {
            let row = if chunk < 8 { &us } else { &them };
            let first = chunk % 8 * 4;
            let products = [first, first + 1, first + 2, first + 3]
                .map(|at| (i32::from(row[at]) * i32::from(row[at + 32])) >> 9);
            i32::from_le_bytes(products.map(|product| product as u8))
        })
    }
    fn nonzero(chunks: [i32; 16]) -> u16 {
        let bits = chunks.iter().enumerate();
        bits.fold(0, |mask, (index, &chunk)| mask | u16::from(chunk != 0) << index)
    }
    fn add_dot_products(sums: [i32; 16], chunk: i32, weights: &Block<i8>) -> [i32; 16] {
        let mut sums = sums;
        let inputs = chunk.to_le_bytes().map(i32::from);
        let (weights, _) = weights.0.as_chunks::<4>();
        for (sum, weights) in sums.iter_mut().zip(weights) {
            for (input, &weight) in inputs.iter().zip(weights) {
                *sum += input * i32::from(weight);
            }
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
        fn pairwise_products(us: [__m256i; 4], them: [__m256i; 4]) -> [__m256i; 2] {
            let mut chunks = [us, them].map(|row| row[0]);
            for (chunks, row) in chunks.iter_mut().zip([us, them]) {
                let low = _mm256_mulhi_epi16(_mm256_slli_epi16::<7>(row[0]), row[2]);
                let high = _mm256_mulhi_epi16(_mm256_slli_epi16::<7>(row[1]), row[3]);
                // Packing is within halves of vectors.
                *chunks = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
            }
            chunks
        }
        fn nonzero(chunks: [__m256i; 2]) -> u16 {
            let zero = _mm256_setzero_si256();
            let low = _mm256_castsi256_ps(_mm256_cmpgt_epi32(chunks[0], zero));
            let high = _mm256_castsi256_ps(_mm256_cmpgt_epi32(chunks[1], zero));
            (_mm256_movemask_ps(low) | _mm256_movemask_ps(high) << 8) as u16
        }
        fn add_dot_products(sums: [__m256i; 2], chunk: i32, weights: &Block<i8>) -> [__m256i; 2] {
            let [low, high]: [__m256i; 2] = cast(weights);
            let (inputs, ones) = (_mm256_set1_epi32(chunk), _mm256_set1_epi16(1));
            let low = _mm256_madd_epi16(_mm256_maddubs_epi16(inputs, low), ones);
            let high = _mm256_madd_epi16(_mm256_maddubs_epi16(inputs, high), ones);
            [_mm256_add_epi32(sums[0], low), _mm256_add_epi32(sums[1], high)]
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
        fn pairwise_products(us: [__m512i; 2], them: [__m512i; 2]) -> __m512i {
            let us = _mm512_mulhi_epi16(_mm512_slli_epi16::<7>(us[0]), us[1]);
            let them = _mm512_mulhi_epi16(_mm512_slli_epi16::<7>(them[0]), them[1]);
            let us = _mm512_castsi256_si512(_mm512_cvtepi16_epi8(us));
            _mm512_inserti64x4::<1>(us, _mm512_cvtepi16_epi8(them))
        }
        fn nonzero(chunks: __m512i) -> u16 {
            _mm512_test_epi32_mask(chunks, chunks)
        }
        fn add_dot_products(sums: __m512i, chunk: i32, weights: &Block<i8>) -> __m512i {
            _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(chunk), cast(weights))
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
        fn pairwise_products(us: [int16x8_t; 8], them: [int16x8_t; 8]) -> [int32x4_t; 4] {
            let mut chunks = [vdupq_n_s32(0); 4];
            let [u0, u1, u2, u3, ..] = us;
            let [t0, t1, t2, t3, ..] = them;
            let left = [u0, u1, u2, u3, t0, t1, t2, t3];
            let right = [us[4], us[5], us[6], us[7], them[4], them[5], them[6], them[7]];
            for (index, chunks) in chunks.iter_mut().enumerate() {
                let (low, high) = (2 * index, 2 * index + 1);
                // It doubles the product before taking the upper 16 bits.
                let low = vqdmulhq_s16(vshlq_n_s16::<6>(left[low]), right[low]);
                let high = vqdmulhq_s16(vshlq_n_s16::<6>(left[high]), right[high]);
                *chunks = vreinterpretq_s32_u8(vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)));
            }
            chunks
        }
        fn nonzero(chunks: [int32x4_t; 4]) -> u16 {
            let bits: uint32x4_t = cast(&[1u32, 2, 4, 8]);
            let mut mask = 0;
            for (index, &chunks) in chunks.iter().enumerate() {
                mask |= vaddvq_u32(vandq_u32(vtstq_s32(chunks, chunks), bits)) << (4 * index);
            }
            mask as u16
        }
        fn add_dot_products(sums: [int32x4_t; 4], chunk: i32, weights: &Block<i8>)
            -> [int32x4_t; 4]
        {
            let mut sums = sums;
            let inputs = vreinterpretq_s8_s32(vdupq_n_s32(chunk));
            let weights: [int8x16_t; 4] = cast(weights);
            for (sums, &weights) in sums.iter_mut().zip(&weights) {
                let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
                let high = vmull_high_s8(inputs, weights);
                *sums = vpadalq_s16(*sums, vpaddq_s16(low, high));
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
        fn pairwise_products(us: [v128; 8], them: [v128; 8]) -> [v128; 4] {
            let mut chunks = [i32x4_splat(0); 4];
            for (index, chunks) in chunks.iter_mut().enumerate() {
                let row = if index < 2 { us } else { them };
                let first = index % 2 * 2;
                let mut products = [row[first], row[first + 1]];
                for (place, product) in products.iter_mut().enumerate() {
                    let (left, right) = (row[first + place], row[first + place + 4]);
                    let low = u32x4_shr(i32x4_extmul_low_i16x8(left, right), 9);
                    let high = u32x4_shr(i32x4_extmul_high_i16x8(left, right), 9);
                    *product = i16x8_narrow_i32x4(low, high);
                }
                *chunks = u8x16_narrow_i16x8(products[0], products[1]);
            }
            chunks
        }
        fn nonzero(chunks: [v128; 4]) -> u16 {
            let mut mask = 0;
            for (index, &chunks) in chunks.iter().enumerate() {
                let bits = i32x4_bitmask(i32x4_ne(chunks, i32x4_splat(0)));
                mask |= u16::from(bits) << (4 * index);
            }
            mask
        }
        fn add_dot_products(sums: [v128; 4], chunk: i32, weights: &Block<i8>) -> [v128; 4] {
            let mut sums = sums;
            let (inputs, ones) = (i32x4_splat(chunk), i16x8_splat(1));
            let weights: [v128; 4] = cast(weights);
            for (sums, &weights) in sums.iter_mut().zip(&weights) {
                let low = i32x4_dot_i16x8(i16x8_extmul_low_i8x16(inputs, weights), ones);
                let high = i32x4_dot_i16x8(i16x8_extmul_high_i8x16(inputs, weights), ones);
                let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
                let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
                *sums = i32x4_add(*sums, i32x4_add(even, odd));
            }
            sums
        }
    );
}
