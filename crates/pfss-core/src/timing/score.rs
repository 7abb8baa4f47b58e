//! One whole number for all objectives of an order.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use crate::Time;

/// What an order costs, the most important objective in the highest digits. Less is better.
///
/// The numbers inside are meant for comparison; [`Line::values`](super::Line::values) gives them in the user's units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub u64);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        Self(scores.map(|score| score.0).sum())
    }
}

impl Time for Score {
    const ZERO: Self = Self(0);
    const MAX: Self = Self(u64::MAX);
    const IS_INTEGER: bool = true;

    #[expect(clippy::cast_precision_loss, reason = "for ratios and temperatures only")]
    fn to_f64(self) -> f64 {
        self.0 as f64
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "beyond the range, the nearest number in it"
    )]
    fn from_f64_floor(value: f64) -> Self {
        Self(value.floor() as u64)
    }

    fn is_valid(self) -> bool {
        true
    }

    fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    fn with_tolerance(self) -> Self {
        self
    }

    fn to_bits(self) -> u64 {
        self.0
    }

    fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}
