//! How times are stored inside the tree: 16 bits where they fit, 32 bits or reals otherwise.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "kernels: halves of words, masks as bits, sums that doubles hold, and single precision for scores"
)]

use std::fmt::Debug;

use crate::simd::{InstructionSet, LaneRegister, Number};
use crate::{Instance, Time};

/// The storage type that holds every time of a search exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// `u16`: no path is as long as 65,535.
    U16,
    /// `u32`.
    U32,
    /// `f64`.
    F64,
}

impl ElementKind {
    /// The smallest for `instance`.
    pub fn of<T: Time>(instance: &Instance<T>) -> Self {
        if !T::IS_INTEGER {
            Self::F64
        } else if instance.horizon().to_f64() < f64::from(u16::MAX) {
            Self::U16
        } else {
            Self::U32
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
    impl Sealed for f64 {}
}

/// A stored time: `u16`, `u32` or `f64`. Larger than every legal time is [`Element::MAX`].
pub trait Element:
    Copy + PartialOrd + Debug + Send + Sync + Default + sealed::Sealed + Number + 'static
{
    /// A value in the form from which a register is filled with one load.
    type Spread: Copy + Default + Send + Sync + 'static;

    /// The registers of an instruction set that hold such times.
    type Register<S: InstructionSet>: LaneRegister<Set = S, Item = Self, Spread = Self::Spread>;

    /// Larger than every stored time.
    const MAX: Self;

    /// A value whose bits are all ones, for masks.
    const ONES: Self;

    /// The stored form of a time, which must fit; larger ones become [`Element::MAX`].
    fn from_time<T: Time>(time: T) -> Self;

    /// The time as the instance has it.
    fn to_time<T: Time>(self) -> T;

    /// The value in single precision; reals are multiplied by `scale` first.
    fn to_f32(self, scale: f64) -> f32;

    /// The sum; integers wrap around, which happens only for children that do not exist.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The value in the form from which a register is filled.
    fn spread(self) -> Self::Spread;

    /// The sum of those whose bit is set; exact for integers. At most 32.
    fn sum_of(elements: &[Self], bits: u32) -> f64;

    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// The value itself where `mask` has all bits set, zero where it has none; without a branch.
    #[must_use]
    fn and(self, mask: u16) -> Self;

    /// The larger of both, without a branch.
    #[must_use]
    fn larger(self, other: Self) -> Self;
}

macro_rules! sum_of {
    ($sum:ty) => {
        #[inline(always)]
        fn sum_of(elements: &[Self], bits: u32) -> f64 {
            let mut sum = <$sum>::default();
            for (index, &element) in elements.iter().enumerate() {
                let is_set = bits & (1 << index) != 0;
                sum += if is_set { <$sum>::from(element) } else { <$sum>::default() };
            }
            sum as f64
        }
    };
}

macro_rules! integer_element {
    ($type:ty, $register:ident, $sum:ty, |$value:ident| $spread:expr) => {
        impl Element for $type {
            type Spread = u32;
            type Register<S: InstructionSet> = S::$register;

            sum_of!($sum);

            #[inline(always)]
            fn spread(self) -> u32 {
                let $value = self;
                $spread
            }

            const MAX: Self = <$type>::MAX;
            const ONES: Self = <$type>::MAX;

            fn from_time<T: Time>(time: T) -> Self {
                // A cast from a real saturates.
                time.to_f64() as $type
            }

            fn to_time<T: Time>(self) -> T {
                T::from_f64_floor(f64::from(self))
            }

            #[inline(always)]
            fn to_f32(self, _scale: f64) -> f32 {
                self as f32
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn and(self, mask: u16) -> Self {
                self & (mask as i16 as $type)
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                self.max(other)
            }
        }
    };
}

integer_element!(u16, U16, u32, |value| u32::from(value) * 0x0001_0001);
integer_element!(u32, U32, u64, |value| value);

impl Element for f64 {
    type Spread = f64;
    type Register<S: InstructionSet> = S::F64;

    sum_of!(f64);

    #[inline(always)]
    fn spread(self) -> f64 {
        self
    }

    const MAX: Self = f64::MAX;
    const ONES: Self = f64::from_bits(u64::MAX);

    fn from_time<T: Time>(time: T) -> Self {
        time.to_f64()
    }

    fn to_time<T: Time>(self) -> T {
        T::from_f64_floor(self)
    }

    #[inline(always)]
    fn to_f32(self, scale: f64) -> f32 {
        (self * scale) as f32
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn and(self, mask: u16) -> Self {
        f64::from_bits(self.to_bits() & (mask as i16 as u64))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}
