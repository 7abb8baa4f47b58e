//! AVX2 and AVX-512 registers.

use std::arch::x86_64::*;

use super::lanes::{Lanes, RECIPROCAL, ROOT_HALF};

macro_rules! register {
    (
        $name:ident, $register:ty, $count:literal, $set1:ident, $load:ident, $store:ident,
        $add:ident, $sub:ident, $mul:ident, $max:ident, $min:ident, $fma:ident,
        $div:ident, $sqrt:ident,
        |$v:ident| $power:expr, |$w:ident| $guess:expr, |$s:ident| $split:expr,
        |$first:ident, $second:ident, $place:ident| $halves:expr
    ) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $name($register);

        // SAFETY of all blocks below: the caller detected the CPU feature and gives as many numbers as there are
        // lanes (the trait's contract).
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Lanes for $name {
            const LANES: usize = $count;

            #[inline(always)]
            unsafe fn splat(value: f32) -> Self {
                Self(unsafe { $set1(value) })
            }
            #[inline(always)]
            unsafe fn load(source: *const f32) -> Self {
                Self(unsafe { $load(source) })
            }
            #[inline(always)]
            unsafe fn store(self, target: *mut f32) {
                unsafe { $store(target, self.0) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                Self(unsafe { $sub(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                Self(unsafe { $mul(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                Self(unsafe { $max(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn fma(self, factor: Self, summand: Self) -> Self {
                Self(unsafe { $fma(self.0, factor.0, summand.0) })
            }
            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                Self(unsafe { $div(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn sqrt(self) -> Self {
                Self(unsafe { $sqrt(self.0) })
            }
            #[inline(always)]
            unsafe fn split(self) -> (Self, Self) {
                let $s = self.0;
                let (fraction, exponent) = unsafe { $split };
                (Self(fraction), Self(exponent))
            }
            #[inline(always)]
            unsafe fn halves($first: f32, $second: f32, $place: usize) -> Self {
                Self(unsafe { $halves })
            }
            #[inline(always)]
            unsafe fn power_of_two(self) -> Self {
                let $v = self.0;
                Self(unsafe { $power })
            }
            #[inline(always)]
            unsafe fn reciprocal_guess(self) -> Self {
                let $w = self.0;
                Self(unsafe { $guess })
            }
        }
    };
}

/// The bits of one.
const ONE: i32 = 0x3f80_0000;

register!(
    F32x8,
    __m256,
    8,
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_max_ps,
    _mm256_min_ps,
    _mm256_fmadd_ps,
    _mm256_div_ps,
    _mm256_sqrt_ps,
    |v| _mm256_castsi256_ps(_mm256_add_epi32(
        _mm256_slli_epi32::<23>(_mm256_castps_si256(v)),
        _mm256_set1_epi32(ONE),
    )),
    |v| _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(RECIPROCAL as i32), _mm256_castps_si256(v),)),
    |v| {
        let bits = _mm256_castps_si256(v);
        let shifted = _mm256_sub_epi32(bits, _mm256_set1_epi32(ROOT_HALF as i32));
        let exponent = _mm256_srai_epi32::<23>(shifted);
        let fraction = _mm256_sub_epi32(bits, _mm256_slli_epi32::<23>(exponent));
        (_mm256_castsi256_ps(fraction), _mm256_cvtepi32_ps(exponent))
    },
    |first, second, place| _mm256_set1_ps(if place.is_multiple_of(16) { first } else { second })
);
register!(
    F32x16,
    __m512,
    16,
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_max_ps,
    _mm512_min_ps,
    _mm512_fmadd_ps,
    _mm512_div_ps,
    _mm512_sqrt_ps,
    |v| _mm512_castsi512_ps(_mm512_add_epi32(
        _mm512_slli_epi32::<23>(_mm512_castps_si512(v)),
        _mm512_set1_epi32(ONE),
    )),
    |v| _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(RECIPROCAL as i32), _mm512_castps_si512(v),)),
    |v| {
        let bits = _mm512_castps_si512(v);
        let shifted = _mm512_sub_epi32(bits, _mm512_set1_epi32(ROOT_HALF as i32));
        let exponent = _mm512_srai_epi32::<23>(shifted);
        let fraction = _mm512_sub_epi32(bits, _mm512_slli_epi32::<23>(exponent));
        (_mm512_castsi512_ps(fraction), _mm512_cvtepi32_ps(exponent))
    },
    |first, second, place| {
        let _ = place;
        _mm512_mask_blend_ps(0xff00, _mm512_set1_ps(first), _mm512_set1_ps(second))
    }
);
