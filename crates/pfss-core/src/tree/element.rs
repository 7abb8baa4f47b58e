//! How times are stored inside the tree: 16 bits where they fit, 32 bits or reals otherwise.

use std::fmt::Debug;

use super::aligned::Plain;
use super::kernel::{BoundKernel, SumKernel};
use crate::{Instance, Time};

/// The storage type that holds every time of a search exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `u16`: no path is as long as 65,535.
    Narrow,
    /// `u32`.
    Wide,
    /// `f64`.
    Real,
}

impl Width {
    /// The narrowest storage for `instance`.
    pub fn of<T: Time>(instance: &Instance<T>) -> Self {
        if !T::IS_INTEGER {
            Self::Real
        } else if instance.horizon().to_f64() < f64::from(u16::MAX) {
            Self::Narrow
        } else {
            Self::Wide
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
#[allow(private_bounds)]
pub trait Element:
    Copy + PartialOrd + Debug + Send + Sync + Default + sealed::Sealed + Plain + BoundKernel + SumKernel + 'static
{
    /// Larger than every stored time.
    const MAX: Self;

    /// The stored form of a time, which must fit; larger ones become [`Element::MAX`].
    fn from_time<T: Time>(time: T) -> Self;

    /// The time as the instance has it.
    fn to_time<T: Time>(self) -> T;

    /// The value in single precision; reals are multiplied by `scale` first.
    fn to_f32(self, scale: f64) -> f32;

    /// The sum; integers wrap around, which happens only for children that do not exist.
    #[must_use]
    fn plus(self, other: Self) -> Self;

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

macro_rules! integer_element {
    ($type:ty) => {
        impl Element for $type {
            const MAX: Self = <$type>::MAX;

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

integer_element!(u16);
integer_element!(u32);

impl Element for f64 {
    const MAX: Self = f64::MAX;

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

/// Calls a kernel on the path that was detected.
macro_rules! on_path {
    ($path:expr, $portable:expr, $avx2:expr, $avx512:expr) => {
        match $path {
            // SAFETY: needs no CPU feature.
            Path::Portable => unsafe { $portable },
            // SAFETY: `Path::or_detected` yields only paths whose CPU features were detected.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { $avx2 },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { $avx512 },
            // SAFETY: needs no CPU feature.
            #[cfg(not(target_arch = "x86_64"))]
            _ => unsafe { $portable },
        }
    };
}
pub(super) use on_path;
