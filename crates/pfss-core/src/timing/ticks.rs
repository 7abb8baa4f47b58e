//! Numbers of a user's units as whole numbers of a smaller unit, exactly.

/// A decimal unit: ten to the power of minus `decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    decimals: u32,
}

impl Scale {
    /// Whole units.
    pub(crate) const ONE: Self = Self { decimals: 0 };

    /// The coarsest scale that holds all of these numbers exactly, with at most so many decimals; or the first number that
    /// it cannot hold.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>, most: u32) -> Result<Self, f64> {
        let mut scale = Self::ONE;
        for value in values {
            while !scale.holds(value) {
                if scale.decimals == most {
                    return Err(value);
                }
                scale.decimals += 1;
            }
        }
        Ok(scale)
    }

    /// How many of the small units make one of the user's.
    pub(crate) fn per_unit(self) -> f64 {
        10f64.powi(self.decimals as i32)
    }

    /// A number has at most so many decimals when dividing a whole number gives it back: a division is rounded to the same
    /// nearest double as the number's text was when it was read.
    fn holds(self, value: f64) -> bool {
        self.ticks(value) / self.per_unit() == value
    }

    fn ticks(self, value: f64) -> f64 {
        (value * self.per_unit()).round()
    }

    /// A number in small units. Out of range numbers become the nearest in range.
    pub(crate) fn to_ticks(self, value: f64) -> i64 {
        self.ticks(value) as i64
    }

    /// The inverse of [`Scale::to_ticks`].
    pub(crate) fn to_units(self, ticks: i64) -> f64 {
        ticks as f64 / self.per_unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_decimals_are_found() {
        assert_eq!(Scale::of([3.0, 0.0, 1e9], 6).unwrap(), Scale::ONE);
        assert_eq!(Scale::of([3.0, 0.25, 0.1], 6).unwrap().per_unit(), 100.0);
        let scale = Scale::of([0.1, 0.7, 1234567.3], 6).unwrap();
        assert_eq!(scale.to_ticks(0.1) + scale.to_ticks(0.7), 8);
        assert_eq!(scale.to_units(scale.to_ticks(1234567.3)), 1234567.3);
        assert_eq!(Scale::of([0.5, 1.0 / 3.0], 6), Err(1.0 / 3.0));
        assert_eq!(Scale::of([-2.5], 6).unwrap().to_ticks(-2.5), -25);
    }
}
