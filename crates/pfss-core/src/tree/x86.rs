//! AVX2 and AVX-512 registers as [`Vector`]s.

use std::arch::x86_64::*;

use super::vector::{RealVector, Vector};

macro_rules! register {
    (
        $name:ident, $register:ty, $item:ty, $count:literal, $spread:ty,
        |$s:ident| splat: $splat:expr, |$p:ident| load: $load:expr, |$q:ident, $v:ident| store: $store:expr,
        |$a:ident, $b:ident| max: $max:expr, add: $add:expr, less: $less:expr
    ) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $name($register);

        impl Vector for $name {
            type Item = $item;
            type Spread = $spread;
            const LANES: usize = $count;

            #[inline(always)]
            unsafe fn splat($s: $spread) -> Self {
                // SAFETY: the caller detected the CPU feature (the trait's contract); the same holds below.
                Self(unsafe { $splat })
            }

            #[inline(always)]
            unsafe fn load($p: *const $item) -> Self {
                // SAFETY: as above, and the caller gives LANES readable items.
                Self(unsafe { $load })
            }

            #[inline(always)]
            unsafe fn store(self, $q: *mut $item) {
                let $v = self.0;
                // SAFETY: as above, and the caller gives room for LANES items.
                unsafe { $store }
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as above.
                Self(unsafe { $max })
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as above.
                Self(unsafe { $add })
            }

            #[inline(always)]
            unsafe fn less(self, other: Self) -> u32 {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: as above.
                unsafe { $less }
            }
        }
    };
}

register!(
    U16x32, __m512i, u16, 32, u32,
    |s| splat: _mm512_set1_epi32(s as i32),
    |p| load: _mm512_loadu_si512(p.cast()), |q, v| store: _mm512_storeu_si512(q.cast(), v),
    |a, b| max: _mm512_max_epu16(a, b), add: _mm512_add_epi16(a, b), less: _mm512_cmplt_epu16_mask(a, b)
);
register!(
    U32x16, __m512i, u32, 16, u32,
    |s| splat: _mm512_set1_epi32(s as i32),
    |p| load: _mm512_loadu_si512(p.cast()), |q, v| store: _mm512_storeu_si512(q.cast(), v),
    |a, b| max: _mm512_max_epu32(a, b), add: _mm512_add_epi32(a, b),
    less: u32::from(_mm512_cmplt_epu32_mask(a, b))
);
register!(
    F64x8, __m512d, f64, 8, f64,
    |s| splat: _mm512_set1_pd(s),
    |p| load: _mm512_loadu_pd(p), |q, v| store: _mm512_storeu_pd(q, v),
    |a, b| max: _mm512_max_pd(a, b), add: _mm512_add_pd(a, b),
    less: u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b))
);
register!(
    F32x16, __m512, f32, 16, f32,
    |s| splat: _mm512_set1_ps(s),
    |p| load: _mm512_loadu_ps(p), |q, v| store: _mm512_storeu_ps(q, v),
    |a, b| max: _mm512_max_ps(a, b), add: _mm512_add_ps(a, b),
    less: u32::from(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b))
);

// AVX2 has no unsigned comparison: a < b where max(a, b) differs from a.
register!(
    U16x16, __m256i, u16, 16, u32,
    |s| splat: _mm256_set1_epi32(s as i32),
    |p| load: _mm256_loadu_si256(p.cast()), |q, v| store: _mm256_storeu_si256(q.cast(), v),
    |a, b| max: _mm256_max_epu16(a, b), add: _mm256_add_epi16(a, b),
    less: {
        let not_less = _mm256_cmpeq_epi16(_mm256_max_epu16(a, b), a);
        let packed = _mm_packs_epi16(_mm256_castsi256_si128(not_less), _mm256_extracti128_si256::<1>(not_less));
        !(_mm_movemask_epi8(packed) as u32) & 0xffff
    }
);
register!(
    U32x8, __m256i, u32, 8, u32,
    |s| splat: _mm256_set1_epi32(s as i32),
    |p| load: _mm256_loadu_si256(p.cast()), |q, v| store: _mm256_storeu_si256(q.cast(), v),
    |a, b| max: _mm256_max_epu32(a, b), add: _mm256_add_epi32(a, b),
    less: {
        let not_less = _mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a);
        !(_mm256_movemask_ps(_mm256_castsi256_ps(not_less)) as u32) & 0xff
    }
);
register!(
    F64x4, __m256d, f64, 4, f64,
    |s| splat: _mm256_set1_pd(s),
    |p| load: _mm256_loadu_pd(p), |q, v| store: _mm256_storeu_pd(q, v),
    |a, b| max: _mm256_max_pd(a, b), add: _mm256_add_pd(a, b),
    less: _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)) as u32
);
register!(
    F32x8, __m256, f32, 8, f32,
    |s| splat: _mm256_set1_ps(s),
    |p| load: _mm256_loadu_ps(p), |q, v| store: _mm256_storeu_ps(q, v),
    |a, b| max: _mm256_max_ps(a, b), add: _mm256_add_ps(a, b),
    less: _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) as u32
);

macro_rules! real {
    (
        $name:ident, $places:ty, $sub:ident, $mul:ident, $div:ident,
        picks: $picks:literal, |$s:ident| places: $load_places:expr, |$w:ident, $i:ident| pick: $pick:expr,
        |$v:ident, $magic:ident| minus_bits: $minus_bits:expr
    ) => {
        impl RealVector for $name {
            const PICKS: bool = $picks;
            type Places = $places;

            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                // SAFETY: the caller detected the CPU feature (the trait's contract); the same holds below.
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $div(self.0, other.0) })
            }

            #[inline(always)]
            unsafe fn places($s: *const u32) -> $places {
                // SAFETY: as above, and the caller gives LANES readable places.
                unsafe { $load_places }
            }

            #[inline(always)]
            unsafe fn pick($w: *const f32, $i: $places) -> Self {
                // SAFETY: as above, and the caller gives a readable window and places inside it.
                Self(unsafe { $pick })
            }

            #[inline(always)]
            unsafe fn minus_bits(self, magic: u32) -> Self {
                let ($v, $magic) = (self.0, magic as i32);
                // SAFETY: as above.
                Self(unsafe { $minus_bits })
            }
        }
    };
}

real!(
    F32x16, __m512i, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps,
    picks: true, |s| places: _mm512_loadu_si512(s.cast()),
    |w, i| pick: {
        // The permutation looks at the low five bits; the sixth tells the halves apart.
        let low = _mm512_permutex2var_ps(_mm512_loadu_ps(w), i, _mm512_loadu_ps(w.add(16)));
        let high = _mm512_permutex2var_ps(_mm512_loadu_ps(w.add(32)), i, _mm512_loadu_ps(w.add(48)));
        _mm512_mask_blend_ps(_mm512_test_epi32_mask(i, _mm512_set1_epi32(32)), low, high)
    },
    |v, magic| minus_bits: _mm512_castsi512_ps(
        _mm512_sub_epi32(_mm512_set1_epi32(magic), _mm512_castps_si512(v))
    )
);
// Eight lanes from 64 need eight permutations: working on all is cheaper.
real!(
    F32x8, [u32; 8], _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps,
    picks: false, |s| places: s.cast::<[u32; 8]>().read(),
    |w, i| pick: _mm256_loadu_ps(i.map(|place| *w.add(place as usize)).as_ptr()),
    |v, magic| minus_bits: _mm256_castsi256_ps(
        _mm256_sub_epi32(_mm256_set1_epi32(magic), _mm256_castps_si256(v))
    )
);
