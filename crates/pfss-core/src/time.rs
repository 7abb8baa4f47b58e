//! What a processing time may be.

use std::fmt::{Debug, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// A processing time: `u32` for integer data, `f64` for real data.
///
/// Every kernel is generic over this trait and exact in its type: integers never round, reals are added in
/// the same order on every code path, so that all paths give the same bits.
pub trait Time:
    Copy
    + Send
    + Sync
    + Debug
    + Display
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + AddAssign
    + SubAssign
    + Sum
    + 'static
{
    /// No time at all: the job skips the machine.
    const ZERO: Self;
    /// Larger than every legal time.
    const MAX: Self;
    /// Whether this type holds integers.
    const IS_INTEGER: bool;

    /// The value as a real number (exact for both types).
    fn to_f64(self) -> f64;

    /// The value nearest to a real number that is at most `value`; used to round lower bounds safely.
    fn from_f64_floor(value: f64) -> Self;

    /// Whether the value may be a processing time: finite and not negative.
    fn is_valid(self) -> bool;

    /// The sum, or `None` where it cannot be represented.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// The larger of two times.
    #[inline(always)]
    #[must_use]
    fn maximum(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The smaller of two times.
    #[inline(always)]
    #[must_use]
    fn minimum(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The largest length that counts as equal to this one.
    ///
    /// Integers are exact. Sums of reals depend on the order of summation, so reals are compared with a
    /// relative tolerance of 1e-9.
    #[must_use]
    fn with_tolerance(self) -> Self;

    /// Whether a schedule of this length meets the lower bound `bound` and is therefore optimal.
    fn meets(self, bound: Self) -> bool {
        self <= bound.with_tolerance()
    }

    /// Whether two lengths of the same schedule, computed along different paths, agree.
    fn agrees(self, other: Self) -> bool {
        self.meets(other) && other.meets(self)
    }

    /// The bits of the value in an order-preserving integer (for atomic incumbents).
    fn to_bits(self) -> u64;

    /// The inverse of [`Time::to_bits`].
    fn from_bits(bits: u64) -> Self;
}

impl Time for u32 {
    const ZERO: u32 = 0;
    const MAX: u32 = u32::MAX;
    const IS_INTEGER: bool = true;

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "beyond the range, the nearest number in it"
    )]
    fn from_f64_floor(value: f64) -> u32 {
        value.floor() as u32
    }

    fn is_valid(self) -> bool {
        true
    }

    fn checked_add(self, other: u32) -> Option<u32> {
        u32::checked_add(self, other)
    }

    fn with_tolerance(self) -> u32 {
        self
    }

    fn to_bits(self) -> u64 {
        u64::from(self)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the inverse of to_bits")]
    fn from_bits(bits: u64) -> u32 {
        bits as u32
    }
}

impl Time for f64 {
    const ZERO: f64 = 0.0;
    const MAX: f64 = f64::MAX;
    const IS_INTEGER: bool = false;

    fn to_f64(self) -> f64 {
        self
    }

    fn from_f64_floor(value: f64) -> f64 {
        value
    }

    fn is_valid(self) -> bool {
        self.is_finite() && self >= 0.0
    }

    fn checked_add(self, other: f64) -> Option<f64> {
        let sum = self + other;
        sum.is_finite().then_some(sum)
    }

    fn with_tolerance(self) -> f64 {
        self + self.abs() * 1e-9
    }

    // Times are never negative, and non-negative floats order as their bits do.
    fn to_bits(self) -> u64 {
        f64::to_bits(self)
    }

    fn from_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}
