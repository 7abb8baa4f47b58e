//! AVX2: registers of 256 bits, and for few machines half of them.
//!
//! Half-width registers are no worse than full ones for few machines: their lane shift is one instruction
//! of one cycle, where a 256-bit register needs two instructions and four cycles. For more machines the sums
//! and maxima count, which run on two ports: 20 machines take 19 of them a row in three half registers, 12 in
//! two full ones.

#![expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "the instructions take and give the bits of unsigned numbers as signed ones"
)]

use std::arch::x86_64::*;

use super::operations::operations;
use super::register::{
    InstructionSet, Kernel, LaneRegister, RECIPROCAL, ROOT_HALF, RealRegister, Register, ShiftRegister,
    WideningRegister,
};

/// AVX2 with fused multiply-adds and `popcnt`, which every such processor of the large makers has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Avx2(());

impl InstructionSet for Avx2 {
    const NAME: &'static str = "avx2";

    type U16 = U16x16;
    type U32 = U32x8;
    type F64 = F64x4;
    type F32 = F32x8;

    fn detect() -> Option<Self> {
        let exists = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("popcnt");
        exists.then_some(Self(()))
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma,popcnt")]
        fn enabled<K: Kernel>(set: Avx2, kernel: K) -> K::Output {
            kernel.run(set)
        }
        // SAFETY: `self` exists, so `detect` found the three features.
        unsafe { enabled(self, kernel) }
    }
}

/// A register type, and the operations that all have.
macro_rules! register {
    ($(#[$doc:meta])* $name:ident, $register:ty, $item:ty, $zero:ident, $add:ident, $max:ident, $min:ident, $blend:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($register);

        // SAFETY: the register of the processor is as long as its lanes, lane 0 first.
        unsafe impl Register for $name {
            type Set = Avx2;
            type Item = $item;

            const LANES: usize = size_of::<$register>() / size_of::<$item>();

            operations! {
                fn zero() -> Self = Self($zero());
                fn add(self, other: Self) -> Self = Self($add(self.0, other.0));
                fn max(self, other: Self) -> Self = Self($max(self.0, other.0));
                fn min(self, other: Self) -> Self = Self($min(self.0, other.0));
                fn select(self, other: Self, mask: Self) -> Self = Self($blend(other.0, self.0, mask.0));
            }
        }
    };
}

register!(/** Eight 16-bit integers. */ U16x8, __m128i, u16, _mm_setzero_si128, _mm_add_epi16, _mm_max_epu16, _mm_min_epu16, _mm_blendv_epi8);
register!(/** Sixteen 16-bit integers. */ U16x16, __m256i, u16, _mm256_setzero_si256, _mm256_add_epi16, _mm256_max_epu16, _mm256_min_epu16, _mm256_blendv_epi8);
register!(/** Four 32-bit integers. */ U32x4, __m128i, u32, _mm_setzero_si128, _mm_add_epi32, _mm_max_epu32, _mm_min_epu32, _mm_blendv_epi8);
register!(/** Eight 32-bit integers. */ U32x8, __m256i, u32, _mm256_setzero_si256, _mm256_add_epi32, _mm256_max_epu32, _mm256_min_epu32, _mm256_blendv_epi8);
register!(/** Two reals. */ F64x2, __m128d, f64, _mm_setzero_pd, _mm_add_pd, _mm_max_pd, _mm_min_pd, _mm_blendv_pd);
register!(/** Four reals. */ F64x4, __m256d, f64, _mm256_setzero_pd, _mm256_add_pd, _mm256_max_pd, _mm256_min_pd, _mm256_blendv_pd);
register!(/** Eight reals in single precision. */ F32x8, __m256, f32, _mm256_setzero_ps, _mm256_add_ps, _mm256_max_ps, _mm256_min_ps, _mm256_blendv_ps);

// There is no unsigned comparison: a < b where max(a, b) differs from a.
impl LaneRegister for U16x16 {
    type Spread = u32;

    operations! {
        fn splat(item: u32) -> Self = Self(_mm256_set1_epi32(item as i32));
        fn load(source: *const u16) -> Self = Self(_mm256_loadu_si256(source.cast()));
        fn store(self, target: *mut u16) = _mm256_storeu_si256(target.cast(), self.0);
        fn less(self, other: Self) -> u32 = {
            let not_less = _mm256_cmpeq_epi16(_mm256_max_epu16(self.0, other.0), self.0);
            let halves = (_mm256_castsi256_si128(not_less), _mm256_extracti128_si256::<1>(not_less));
            !(_mm_movemask_epi8(_mm_packs_epi16(halves.0, halves.1)) as u32) & 0xffff
        };
    }
}

impl LaneRegister for U32x8 {
    type Spread = u32;

    operations! {
        fn splat(item: u32) -> Self = Self(_mm256_set1_epi32(item as i32));
        fn load(source: *const u32) -> Self = Self(_mm256_loadu_si256(source.cast()));
        fn store(self, target: *mut u32) = _mm256_storeu_si256(target.cast(), self.0);
        fn less(self, other: Self) -> u32 = {
            let not_less = _mm256_cmpeq_epi32(_mm256_max_epu32(self.0, other.0), self.0);
            !(_mm256_movemask_ps(_mm256_castsi256_ps(not_less)) as u32) & 0xff
        };
    }
}

impl LaneRegister for F64x4 {
    type Spread = f64;

    operations! {
        fn splat(item: f64) -> Self = Self(_mm256_set1_pd(item));
        fn load(source: *const f64) -> Self = Self(_mm256_loadu_pd(source));
        fn store(self, target: *mut f64) = _mm256_storeu_pd(target, self.0);
        fn less(self, other: Self) -> u32 = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) as u32;
    }
}

impl LaneRegister for F32x8 {
    type Spread = f32;

    operations! {
        fn splat(item: f32) -> Self = Self(_mm256_set1_ps(item));
        fn load(source: *const f32) -> Self = Self(_mm256_loadu_ps(source));
        fn store(self, target: *mut f32) = _mm256_storeu_ps(target, self.0);
        fn less(self, other: Self) -> u32 = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) as u32;
    }
}

impl WideningRegister for U32x8 {
    operations! {
        fn add_to(self, sums: *mut u32) =
            _mm256_storeu_si256(sums.cast(), _mm256_add_epi32(_mm256_loadu_si256(sums.cast()), self.0));
        fn add_product_to(self, factors: *const u32, sums: *mut u32) =
            Self(_mm256_mullo_epi32(self.0, _mm256_loadu_si256(factors.cast()))).add_to(sums);
    }
}

impl U16x16 {
    operations! {
        fn halves(self) -> [U32x8; 2] = [
            U32x8(_mm256_cvtepu16_epi32(_mm256_castsi256_si128(self.0))),
            U32x8(_mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(self.0))),
        ];
    }
}

impl WideningRegister for U16x16 {
    operations! {
        fn add_to(self, sums: *mut u32) = {
            let [low, high] = self.halves();
            low.add_to(sums);
            high.add_to(sums.add(8));
        };
        fn add_product_to(self, factors: *const u32, sums: *mut u32) = {
            let [low, high] = self.halves();
            low.add_product_to(factors, sums);
            high.add_product_to(factors.add(8), sums.add(8));
        };
    }
}

impl RealRegister for F32x8 {
    // Eight lanes from 64 need eight permutations: working on all is cheaper.
    const PICKS: bool = false;
    type Places = [u32; 8];

    operations! {
        fn sub(self, other: Self) -> Self = Self(_mm256_sub_ps(self.0, other.0));
        fn mul(self, other: Self) -> Self = Self(_mm256_mul_ps(self.0, other.0));
        fn div(self, other: Self) -> Self = Self(_mm256_div_ps(self.0, other.0));
        fn fma(self, factor: Self, summand: Self) -> Self = Self(_mm256_fmadd_ps(self.0, factor.0, summand.0));
        fn sqrt(self) -> Self = Self(_mm256_sqrt_ps(self.0));
        fn split(self) -> (Self, Self) = {
            let bits = _mm256_castps_si256(self.0);
            let shifted = _mm256_sub_epi32(bits, _mm256_set1_epi32(ROOT_HALF as i32));
            let exponent = _mm256_srai_epi32::<23>(shifted);
            let fraction = _mm256_sub_epi32(bits, _mm256_slli_epi32::<23>(exponent));
            (Self(_mm256_castsi256_ps(fraction)), Self(_mm256_cvtepi32_ps(exponent)))
        };
        fn halves(first: f32, second: f32, place: usize) -> Self =
            Self(_mm256_set1_ps(if place.is_multiple_of(16) { first } else { second }));
        fn power_of_two(self) -> Self = {
            let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(self.0));
            Self(_mm256_castsi256_ps(_mm256_add_epi32(exponent, _mm256_set1_epi32(1f32.to_bits() as i32))))
        };
        fn reciprocal_guess(self) -> Self = {
            let bits = _mm256_castps_si256(self.0);
            Self(_mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(RECIPROCAL as i32), bits)))
        };
        fn places(source: *const u32) -> [u32; 8] = source.cast::<[u32; 8]>().read_unaligned();
        fn pick(window: *const f32, places: [u32; 8]) -> Self =
            Self(_mm256_loadu_ps(places.map(|place| *window.add(place as usize)).as_ptr()));
    }
}

/// The operations of a row of neighbours.
macro_rules! shift_register {
    ($name:ident, $item:ty, $zero:expr, $ones:expr, $first:literal, { $($operations:tt)* }) => {
        impl ShiftRegister for $name {
            const FIRST_WIDTH: usize = $first;
            // Integers are added and compared in one cycle, reals in four.
            const SLOW_SUMS: bool = size_of::<$item>() == 8;
            const ZERO: $item = $zero;
            const ONES: $item = $ones;

            operations! { $($operations)* }
        }
    };
}

shift_register!(U16x8, u16, 0, u16::MAX, 2, {
    fn down(self) -> Self = Self(_mm_srli_si128(self.0, 2));
    fn up(self) -> Self = Self(_mm_slli_si128(self.0, 2));
    fn keep(self, mask: Self) -> Self = Self(_mm_and_si128(self.0, mask.0));
    fn store_first(self, target: *mut u16) = _mm_storeu_si32(target.cast(), self.0);
});
shift_register!(U16x16, u16, 0, u16::MAX, 2, {
    fn down(self) -> Self =
        Self(_mm256_alignr_epi8(_mm256_permute2x128_si256(self.0, self.0, 0x81), self.0, 2));
    fn up(self) -> Self =
        Self(_mm256_alignr_epi8(self.0, _mm256_permute2x128_si256(self.0, self.0, 0x08), 14));
    fn keep(self, mask: Self) -> Self = Self(_mm256_and_si256(self.0, mask.0));
    fn store_first(self, target: *mut u16) = _mm_storeu_si32(target.cast(), _mm256_castsi256_si128(self.0));
});
shift_register!(U32x4, u32, 0, u32::MAX, 1, {
    fn down(self) -> Self = Self(_mm_srli_si128(self.0, 4));
    fn up(self) -> Self = Self(_mm_slli_si128(self.0, 4));
    fn keep(self, mask: Self) -> Self = Self(_mm_and_si128(self.0, mask.0));
    fn store_first(self, target: *mut u32) = _mm_storeu_si32(target.cast(), self.0);
});
shift_register!(U32x8, u32, 0, u32::MAX, 1, {
    fn down(self) -> Self =
        Self(_mm256_alignr_epi8(_mm256_permute2x128_si256(self.0, self.0, 0x81), self.0, 4));
    fn up(self) -> Self =
        Self(_mm256_alignr_epi8(self.0, _mm256_permute2x128_si256(self.0, self.0, 0x08), 12));
    fn keep(self, mask: Self) -> Self = Self(_mm256_and_si256(self.0, mask.0));
    fn store_first(self, target: *mut u32) = _mm_storeu_si32(target.cast(), _mm256_castsi256_si128(self.0));
});
shift_register!(F64x2, f64, 0.0, f64::from_bits(u64::MAX), 1, {
    fn down(self) -> Self = Self(_mm_unpackhi_pd(self.0, _mm_setzero_pd()));
    fn up(self) -> Self = Self(_mm_unpacklo_pd(_mm_setzero_pd(), self.0));
    fn keep(self, mask: Self) -> Self = Self(_mm_and_pd(self.0, mask.0));
    fn store_first(self, target: *mut f64) = _mm_store_sd(target, self.0);
});
shift_register!(F64x4, f64, 0.0, f64::from_bits(u64::MAX), 1, {
    fn down(self) -> Self =
        Self(_mm256_shuffle_pd(self.0, _mm256_permute2f128_pd(self.0, self.0, 0x81), 0b0101));
    fn up(self) -> Self =
        Self(_mm256_shuffle_pd(_mm256_permute2f128_pd(self.0, self.0, 0x08), self.0, 0b0101));
    fn keep(self, mask: Self) -> Self = Self(_mm256_and_pd(self.0, mask.0));
    fn store_first(self, target: *mut f64) = _mm_store_sd(target, _mm256_castpd256_pd128(self.0));
});
