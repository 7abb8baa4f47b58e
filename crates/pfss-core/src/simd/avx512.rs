//! AVX-512 (F and BW): registers of 512 bits.

#![expect(
    clippy::cast_possible_wrap,
    reason = "the instructions take the bits of unsigned numbers as signed ones"
)]

use std::arch::x86_64::*;

use super::avx2::Avx2;
use super::operations::operations;
use super::register::{
    InstructionSet, Kernel, LaneRegister, RECIPROCAL, ROOT_HALF, RealRegister, Register, WideningRegister,
};

/// AVX-512 F and BW, and all of [`Avx2`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Avx512(Avx2);

impl From<Avx512> for Avx2 {
    #[inline]
    fn from(set: Avx512) -> Self {
        set.0
    }
}

impl InstructionSet for Avx512 {
    const NAME: &'static str = "avx512";

    type U16 = U16x32;
    type U32 = U32x16;
    type F64 = F64x8;
    type F32 = F32x16;

    fn detect() -> Option<Self> {
        let exists = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        Avx2::detect().filter(|_| exists).map(Self)
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx2,fma,popcnt")]
        fn enabled<K: Kernel>(set: Avx512, kernel: K) -> K::Output {
            kernel.run(set)
        }
        // SAFETY: `self` exists, so `detect` found the five features.
        unsafe { enabled(self, kernel) }
    }
}

/// A register type with the operations that are the same instruction for all.
macro_rules! register {
    (
        $(#[$doc:meta])* $name:ident, $register:ty, $item:ty, $spread:ty,
        $zero:ident, $add:ident, $max:ident, $min:ident, ($to_bits:expr, $from_bits:expr), $less:expr, { $($operations:tt)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($register);

        // SAFETY: the register of the processor is as long as its lanes, lane 0 first.
        unsafe impl Register for $name {
            type Set = Avx512;
            type Item = $item;

            const LANES: usize = size_of::<$register>() / size_of::<$item>();

            operations! {
                fn zero() -> Self = Self($zero());
                fn add(self, other: Self) -> Self = Self($add(self.0, other.0));
                fn max(self, other: Self) -> Self = Self($max(self.0, other.0));
                fn min(self, other: Self) -> Self = Self($min(self.0, other.0));
                // The table of "if the mask has a one then this, else the other".
                fn select(self, other: Self, mask: Self) -> Self = Self($from_bits(
                    _mm512_ternarylogic_epi64::<0xca>($to_bits(mask.0), $to_bits(self.0), $to_bits(other.0))
                ));
            }
        }

        impl LaneRegister for $name {
            type Spread = $spread;

            operations! {
                fn less(self, other: Self) -> u32 = u32::from($less(self.0, other.0));
                $($operations)*
            }
        }
    };
}

register!(
    /// 32 16-bit integers.
    U16x32, __m512i, u16, u32, _mm512_setzero_si512, _mm512_add_epi16, _mm512_max_epu16, _mm512_min_epu16, (|x| x, |x| x), _mm512_cmplt_epu16_mask, {
        fn splat(item: u32) -> Self = Self(_mm512_set1_epi32(item as i32));
        fn load(source: *const u16) -> Self = Self(_mm512_loadu_si512(source.cast()));
        fn store(self, target: *mut u16) = _mm512_storeu_si512(target.cast(), self.0);
    }
);
register!(
    /// Sixteen 32-bit integers.
    U32x16, __m512i, u32, u32, _mm512_setzero_si512, _mm512_add_epi32, _mm512_max_epu32, _mm512_min_epu32, (|x| x, |x| x), _mm512_cmplt_epu32_mask, {
        fn splat(item: u32) -> Self = Self(_mm512_set1_epi32(item as i32));
        fn load(source: *const u32) -> Self = Self(_mm512_loadu_si512(source.cast()));
        fn store(self, target: *mut u32) = _mm512_storeu_si512(target.cast(), self.0);
    }
);
register!(
    /// Eight reals.
    F64x8, __m512d, f64, f64, _mm512_setzero_pd, _mm512_add_pd, _mm512_max_pd, _mm512_min_pd, (_mm512_castpd_si512, _mm512_castsi512_pd), _mm512_cmp_pd_mask::<_CMP_LT_OQ>, {
        fn splat(item: f64) -> Self = Self(_mm512_set1_pd(item));
        fn load(source: *const f64) -> Self = Self(_mm512_loadu_pd(source));
        fn store(self, target: *mut f64) = _mm512_storeu_pd(target, self.0);
    }
);
register!(
    /// Sixteen reals in single precision.
    F32x16, __m512, f32, f32, _mm512_setzero_ps, _mm512_add_ps, _mm512_max_ps, _mm512_min_ps, (_mm512_castps_si512, _mm512_castsi512_ps), _mm512_cmp_ps_mask::<_CMP_LT_OQ>, {
        fn splat(item: f32) -> Self = Self(_mm512_set1_ps(item));
        fn load(source: *const f32) -> Self = Self(_mm512_loadu_ps(source));
        fn store(self, target: *mut f32) = _mm512_storeu_ps(target, self.0);
    }
);

impl WideningRegister for U32x16 {
    operations! {
        fn add_to(self, sums: *mut u32) =
            _mm512_storeu_si512(sums.cast(), _mm512_add_epi32(_mm512_loadu_si512(sums.cast()), self.0));
        fn add_product_to(self, factors: *const u32, sums: *mut u32) =
            Self(_mm512_mullo_epi32(self.0, _mm512_loadu_si512(factors.cast()))).add_to(sums);
    }
}

impl U16x32 {
    operations! {
        fn halves(self) -> [U32x16; 2] = [
            U32x16(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(self.0))),
            U32x16(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(self.0))),
        ];
    }
}

impl WideningRegister for U16x32 {
    operations! {
        fn add_to(self, sums: *mut u32) = {
            let [low, high] = self.halves();
            low.add_to(sums);
            high.add_to(sums.add(16));
        };
        fn add_product_to(self, factors: *const u32, sums: *mut u32) = {
            let [low, high] = self.halves();
            low.add_product_to(factors, sums);
            high.add_product_to(factors.add(16), sums.add(16));
        };
    }
}

impl RealRegister for F32x16 {
    const PICKS: bool = true;
    type Places = __m512i;

    operations! {
        fn sub(self, other: Self) -> Self = Self(_mm512_sub_ps(self.0, other.0));
        fn mul(self, other: Self) -> Self = Self(_mm512_mul_ps(self.0, other.0));
        fn div(self, other: Self) -> Self = Self(_mm512_div_ps(self.0, other.0));
        fn fma(self, factor: Self, summand: Self) -> Self = Self(_mm512_fmadd_ps(self.0, factor.0, summand.0));
        fn sqrt(self) -> Self = Self(_mm512_sqrt_ps(self.0));
        fn split(self) -> (Self, Self) = {
            let bits = _mm512_castps_si512(self.0);
            let shifted = _mm512_sub_epi32(bits, _mm512_set1_epi32(ROOT_HALF as i32));
            let exponent = _mm512_srai_epi32::<23>(shifted);
            let fraction = _mm512_sub_epi32(bits, _mm512_slli_epi32::<23>(exponent));
            (Self(_mm512_castsi512_ps(fraction)), Self(_mm512_cvtepi32_ps(exponent)))
        };
        fn halves(first: f32, second: f32, _place: usize) -> Self =
            Self(_mm512_mask_blend_ps(0xff00, _mm512_set1_ps(first), _mm512_set1_ps(second)));
        fn power_of_two(self) -> Self = {
            let exponent = _mm512_slli_epi32::<23>(_mm512_castps_si512(self.0));
            Self(_mm512_castsi512_ps(_mm512_add_epi32(exponent, _mm512_set1_epi32(1f32.to_bits() as i32))))
        };
        fn reciprocal_guess(self) -> Self = {
            let bits = _mm512_castps_si512(self.0);
            Self(_mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(RECIPROCAL as i32), bits)))
        };
        fn places(source: *const u32) -> __m512i = _mm512_loadu_si512(source.cast());
        fn pick(window: *const f32, places: __m512i) -> Self = {
            // The permutation looks at the low five bits; the sixth tells the halves apart.
            let low = _mm512_permutex2var_ps(_mm512_loadu_ps(window), places, _mm512_loadu_ps(window.add(16)));
            let (third, fourth) = (_mm512_loadu_ps(window.add(32)), _mm512_loadu_ps(window.add(48)));
            let high = _mm512_permutex2var_ps(third, places, fourth);
            let is_high = _mm512_test_epi32_mask(places, _mm512_set1_epi32(32));
            Self(_mm512_mask_blend_ps(is_high, low, high))
        };
    }
}
