//! Plain arrays in place of registers: for every processor; compilers vectorise them as they can.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "what the registers of the other kernels do: bits, and halves of a word"
)]

use super::register::{
    InstructionSet, Kernel, LaneRegister, RECIPROCAL, ROOT_HALF, RealRegister, Register, ShiftRegister,
    WideningRegister,
};

/// No more instructions than every processor of the target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Portable;

impl InstructionSet for Portable {
    const NAME: &'static str = "portable";

    type U16 = Array<u16, 8>;
    type U32 = Array<u32, 4>;
    type F64 = Array<f64, 2>;
    type F32 = Array<f32, 8>;

    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

/// A few numbers side by side.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub struct Array<T, const N: usize>(pub [T; N]);

impl<T: Copy, const N: usize> Array<T, N> {
    #[inline(always)]
    fn zip(mut self, other: Self, with: impl Fn(T, T) -> T) -> Self {
        for (x, y) in self.0.iter_mut().zip(other.0) {
            *x = with(*x, y);
        }
        self
    }
}

macro_rules! lanes {
    ($item:ty, $count:literal, $zero:literal, $spread:ty, |$a:ident, $b:ident| $add:expr) => {
        // SAFETY: an array of items whose size is a multiple of its alignment.
        unsafe impl Register for Array<$item, $count> {
            type Set = Portable;
            type Item = $item;

            const LANES: usize = $count;

            #[inline(always)]
            unsafe fn zero() -> Self {
                Self([$zero; $count])
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                self.zip(other, |$a, $b| $add)
            }

            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                self.zip(other, |x, y| if x > y { x } else { y })
            }

            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                self.zip(other, |x, y| if x < y { x } else { y })
            }

            #[inline(always)]
            unsafe fn select(self, other: Self, mask: Self) -> Self {
                Self(std::array::from_fn(|lane| {
                    let is_set = mask.0[lane].to_ne_bytes() != [0; size_of::<$item>()];
                    if is_set { self.0[lane] } else { other.0[lane] }
                }))
            }
        }

        impl LaneRegister for Array<$item, $count> {
            type Spread = $spread;

            #[inline(always)]
            unsafe fn splat(item: $spread) -> Self {
                Self([item as $item; $count])
            }

            #[inline(always)]
            unsafe fn load(source: *const $item) -> Self {
                // SAFETY: the caller gives LANES readable items.
                Self(unsafe { source.cast::<[$item; $count]>().read_unaligned() })
            }

            #[inline(always)]
            unsafe fn store(self, target: *mut $item) {
                // SAFETY: the caller gives room for LANES items.
                unsafe { target.cast::<[$item; $count]>().write_unaligned(self.0) }
            }

            #[inline(always)]
            unsafe fn less(self, other: Self) -> u32 {
                self.0
                    .iter()
                    .zip(&other.0)
                    .enumerate()
                    .fold(0, |bits, (lane, (x, y))| bits | (u32::from(x < y) << lane))
            }
        }
    };
}

lanes!(u16, 8, 0, u32, |a, b| a.wrapping_add(b));
lanes!(u32, 4, 0, u32, |a, b| a.wrapping_add(b));
lanes!(f64, 2, 0.0, f64, |a, b| a + b);
lanes!(f32, 8, 0.0, f32, |a, b| a + b);

macro_rules! widening {
    ($item:ty, $count:literal) => {
        impl WideningRegister for Array<$item, $count> {
            #[inline(always)]
            unsafe fn add_to(self, sums: *mut u32) {
                // SAFETY: the caller gives as many sums as there are lanes.
                unsafe { self.add_product_to([1; $count].as_ptr(), sums) }
            }

            #[inline(always)]
            unsafe fn add_product_to(self, factors: *const u32, sums: *mut u32) {
                // SAFETY: the caller gives as many factors and sums as there are lanes.
                unsafe {
                    let factors = factors.cast::<[u32; $count]>().read_unaligned();
                    let mut all = sums.cast::<[u32; $count]>().read_unaligned();
                    for lane in 0..$count {
                        all[lane] =
                            all[lane].wrapping_add(u32::from(self.0[lane]).wrapping_mul(factors[lane]));
                    }
                    sums.cast::<[u32; $count]>().write_unaligned(all);
                }
            }
        }
    };
}

widening!(u16, 8);
widening!(u32, 4);

macro_rules! row {
    ($item:ty, $count:literal, $zero:literal, $ones:expr, |$a:ident, $b:ident| $keep:expr) => {
        impl ShiftRegister for Array<$item, $count> {
            const FIRST_WIDTH: usize = 1;
            const SLOW_SUMS: bool = false;
            const ZERO: $item = $zero;
            const ONES: $item = $ones;

            #[inline(always)]
            unsafe fn down(mut self) -> Self {
                self.0.copy_within(1.., 0);
                self.0[$count - 1] = $zero;
                self
            }

            #[inline(always)]
            unsafe fn up(mut self) -> Self {
                self.0.copy_within(..$count - 1, 1);
                self.0[0] = $zero;
                self
            }

            #[inline(always)]
            unsafe fn keep(self, mask: Self) -> Self {
                self.zip(mask, |$a, $b| $keep)
            }

            #[inline(always)]
            unsafe fn store_first(self, target: *mut $item) {
                // SAFETY: the caller gives room for one item.
                unsafe { target.write_unaligned(self.0[0]) }
            }
        }
    };
}

row!(u16, 8, 0, u16::MAX, |a, b| a & b);
row!(u32, 4, 0, u32::MAX, |a, b| a & b);
row!(f64, 2, 0.0, f64::from_bits(u64::MAX), |a, b| f64::from_bits(a.to_bits() & b.to_bits()));

impl RealRegister for Array<f32, 8> {
    const PICKS: bool = false;
    type Places = [u32; 8];

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }

    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        self.zip(other, |x, y| x / y)
    }

    #[inline(always)]
    unsafe fn fma(self, factor: Self, summand: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].mul_add(factor.0[lane], summand.0[lane])))
    }

    #[inline(always)]
    unsafe fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    unsafe fn split(self) -> (Self, Self) {
        let exponent = |x: f32| x.to_bits().wrapping_sub(ROOT_HALF) as i32 >> 23;
        let fraction = |x: f32| f32::from_bits(x.to_bits().wrapping_sub((exponent(x) << 23) as u32));
        (Self(self.0.map(fraction)), Self(self.0.map(|x| exponent(x) as f32)))
    }

    #[inline(always)]
    unsafe fn halves(first: f32, second: f32, place: usize) -> Self {
        Self([if place.is_multiple_of(16) { first } else { second }; 8])
    }

    #[inline(always)]
    unsafe fn power_of_two(self) -> Self {
        Self(self.0.map(|value| f32::from_bits((value.to_bits() << 23).wrapping_add(1f32.to_bits()))))
    }

    #[inline(always)]
    unsafe fn reciprocal_guess(self) -> Self {
        Self(self.0.map(|value| f32::from_bits(RECIPROCAL.wrapping_sub(value.to_bits()))))
    }

    #[inline(always)]
    unsafe fn places(source: *const u32) -> [u32; 8] {
        // SAFETY: the caller gives LANES readable places.
        unsafe { source.cast::<[u32; 8]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn pick(window: *const f32, places: [u32; 8]) -> Self {
        // SAFETY: the caller gives places inside the window.
        Self(places.map(|place| unsafe { window.add(place as usize).read_unaligned() }))
    }
}
