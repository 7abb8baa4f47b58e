//! AVX2 registers as [`Lanes`]: 128 and 256 bits wide.
//!
//! Half-width registers are no worse than full ones for few machines: their lane shift is one instruction
//! of one cycle, where a 256-bit register needs two instructions and four cycles. For more machines the sums
//! and maxima count, which run on two ports: 20 machines take 19 of them a row in three half registers, 12 in
//! two full ones.

use std::arch::x86_64::*;

use super::lanes::Lanes;

macro_rules! avx2 {
    (
        $name:ident, $register:ty, $item:ty, $count:literal, $first:literal, $ones:expr, $zero_item:expr,
        zero: $zero:expr, |$a:ident, $b:ident| add: $add:expr, max: $max:expr, keep: $keep:expr,
        |$v:ident| down: $down:expr, up: $up:expr,
        |$s:ident, $o:ident, $m:ident| select: $select:expr,
        |$f:ident, $p:ident| first: $store:expr
    ) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $name($register);

        impl Lanes for $name {
            type Item = $item;
            const COUNT: usize = $count;
            const FIRST_WIDTH: usize = $first;
            // Integers are added and compared in one cycle, reals in four.
            const SLOW_SUMS: bool = size_of::<$item>() == 8;

            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the caller detected AVX2 (the trait's contract); the same holds below.
                Self(unsafe { $zero })
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as above.
                Self(unsafe { $add })
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as above.
                Self(unsafe { $max })
            }

            #[inline(always)]
            unsafe fn down(self) -> Self {
                let $v = self.0;
                // SAFETY: as above.
                Self(unsafe { $down })
            }

            #[inline(always)]
            unsafe fn up(self) -> Self {
                let $v = self.0;
                // SAFETY: as above.
                Self(unsafe { $up })
            }

            #[inline(always)]
            unsafe fn keep(self, mask: Self) -> Self {
                let ($a, $b) = (self.0, mask.0);
                // SAFETY: as above.
                Self(unsafe { $keep })
            }

            #[inline(always)]
            unsafe fn select(self, other: Self, mask: Self) -> Self {
                let ($s, $o, $m) = (self.0, other.0, mask.0);
                // SAFETY: as above.
                Self(unsafe { $select })
            }

            #[inline(always)]
            unsafe fn store_first(self, target: *mut $item) {
                let ($f, $p) = (self.0, target);
                // SAFETY: as above, and the caller gives room for FIRST_WIDTH items.
                unsafe { $store }
            }

            fn ones() -> $item {
                $ones
            }

            fn zero_item() -> $item {
                $zero_item
            }
        }
    };
}

avx2!(
    U16x8, __m128i, u16, 8, 2, u16::MAX, 0,
    zero: _mm_setzero_si128(),
    |a, b| add: _mm_adds_epu16(a, b), max: _mm_max_epu16(a, b), keep: _mm_and_si128(a, b),
    |v| down: _mm_srli_si128(v, 2), up: _mm_slli_si128(v, 2),
    |s, o, m| select: _mm_blendv_epi8(o, s, m),
    |f, p| first: _mm_storeu_si32(p.cast(), f)
);

avx2!(
    U16x16, __m256i, u16, 16, 2, u16::MAX, 0,
    zero: _mm256_setzero_si256(),
    |a, b| add: _mm256_adds_epu16(a, b), max: _mm256_max_epu16(a, b), keep: _mm256_and_si256(a, b),
    |v| down: _mm256_alignr_epi8(_mm256_permute2x128_si256(v, v, 0x81), v, 2),
    up: _mm256_alignr_epi8(v, _mm256_permute2x128_si256(v, v, 0x08), 14),
    |s, o, m| select: _mm256_blendv_epi8(o, s, m),
    |f, p| first: _mm_storeu_si32(p.cast(), _mm256_castsi256_si128(f))
);

avx2!(
    U32x4, __m128i, u32, 4, 1, u32::MAX, 0,
    zero: _mm_setzero_si128(),
    |a, b| add: _mm_add_epi32(a, b), max: _mm_max_epu32(a, b), keep: _mm_and_si128(a, b),
    |v| down: _mm_srli_si128(v, 4), up: _mm_slli_si128(v, 4),
    |s, o, m| select: _mm_blendv_epi8(o, s, m),
    |f, p| first: _mm_storeu_si32(p.cast(), f)
);

avx2!(
    U32x8, __m256i, u32, 8, 1, u32::MAX, 0,
    zero: _mm256_setzero_si256(),
    |a, b| add: _mm256_add_epi32(a, b), max: _mm256_max_epu32(a, b), keep: _mm256_and_si256(a, b),
    |v| down: _mm256_alignr_epi8(_mm256_permute2x128_si256(v, v, 0x81), v, 4),
    up: _mm256_alignr_epi8(v, _mm256_permute2x128_si256(v, v, 0x08), 12),
    |s, o, m| select: _mm256_blendv_epi8(o, s, m),
    |f, p| first: _mm_storeu_si32(p.cast(), _mm256_castsi256_si128(f))
);

avx2!(
    F64x2, __m128d, f64, 2, 1, f64::from_bits(u64::MAX), 0.0,
    zero: _mm_setzero_pd(),
    |a, b| add: _mm_add_pd(a, b), max: _mm_max_pd(a, b), keep: _mm_and_pd(a, b),
    |v| down: _mm_unpackhi_pd(v, _mm_setzero_pd()), up: _mm_unpacklo_pd(_mm_setzero_pd(), v),
    |s, o, m| select: _mm_blendv_pd(o, s, m),
    |f, p| first: _mm_store_sd(p, f)
);

avx2!(
    F64x4, __m256d, f64, 4, 1, f64::from_bits(u64::MAX), 0.0,
    zero: _mm256_setzero_pd(),
    |a, b| add: _mm256_add_pd(a, b), max: _mm256_max_pd(a, b), keep: _mm256_and_pd(a, b),
    |v| down: _mm256_shuffle_pd(v, _mm256_permute2f128_pd(v, v, 0x81), 0b0101),
    up: _mm256_shuffle_pd(_mm256_permute2f128_pd(v, v, 0x08), v, 0b0101),
    |s, o, m| select: _mm256_blendv_pd(o, s, m),
    |f, p| first: _mm_store_sd(p, _mm256_castpd256_pd128(f))
);
