//! Numbers of a user's units as whole numbers of a smaller unit: exactly, or not at all.

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
            // By itself, and from whole units on: the products of large numbers with a fine scale are rounded.
            let own = (0..=most).find(|&decimals| Self { decimals }.holds(value)).ok_or(value)?;
            scale.decimals = scale.decimals.max(own);
        }
        Ok(scale)
    }

    /// How many of the small units make one of the user's.
    pub(crate) fn per_unit(self) -> f64 {
        10f64.powi(self.decimals.cast_signed())
    }

    /// A number has at most so many decimals when dividing a whole number gives it back: a division is rounded to the same
    /// nearest double as the number's text was when it was read.
    fn holds(self, value: f64) -> bool {
        self.ticks(value) / self.per_unit() == value
    }

    fn ticks(self, value: f64) -> f64 {
        (value * self.per_unit()).round()
    }

    /// A number in small units, of which there may be at most `most` on either side of 0. The scale must hold the number.
    pub(crate) fn to_ticks(self, value: f64, most: u32) -> Result<i64, Beyond> {
        let ticks = self.ticks(value);
        if ticks.abs() <= f64::from(most) {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 32 bits")]
            return Ok(ticks as i64);
        }
        Err(Beyond { value, largest: self.to_units(i64::from(most)), decimals: self.decimals })
    }

    /// A number that is not negative, in small units.
    pub(crate) fn to_unsigned(self, value: f64, most: u32) -> Result<u32, Beyond> {
        let beyond = Beyond { value, largest: self.to_units(i64::from(most)), decimals: self.decimals };
        self.to_ticks(value, most).and_then(|ticks| u32::try_from(ticks).map_err(|_| beyond))
    }

    /// The inverse of [`Scale::to_ticks`].
    #[expect(clippy::cast_precision_loss, reason = "what is printed has the 53 bits of a double")]
    pub(crate) fn to_units(self, ticks: i64) -> f64 {
        ticks as f64 / self.per_unit()
    }
}

/// A number that is larger than what is calculated with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beyond {
    pub(super) value: f64,
    pub(super) largest: f64,
    pub(super) decimals: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_decimals_are_found() {
        assert_eq!(Scale::of([3.0, 0.0, 1e9], 6).unwrap(), Scale::ONE);
        assert_eq!(Scale::of([3.0, 0.25, 0.1], 6).unwrap().per_unit(), 100.0);
        let scale = Scale::of([0.1, 0.7, 1234567.3], 6).unwrap();
        let ticks = |value| scale.to_ticks(value, u32::MAX).unwrap();
        assert_eq!(ticks(0.1) + ticks(0.7), 8);
        assert_eq!(scale.to_units(ticks(1234567.3)), 1234567.3);
        assert_eq!(Scale::of([0.5, 1.0 / 3.0], 6), Err(1.0 / 3.0));
        assert_eq!(Scale::of([-2.5], 6).unwrap().to_ticks(-2.5, 25), Ok(-25));
        assert_eq!(Scale::of([0.1 + 0.2], 6), Err(0.1 + 0.2));
        assert_eq!(Scale::of([-0.0], 6).unwrap().to_unsigned(-0.0, 0), Ok(0));
    }

    #[test]
    fn numbers_are_held_exactly_or_refused() {
        let scale = Scale::of([0.000_001, 4_294.967_295], 6).unwrap();
        assert_eq!(scale.to_unsigned(4_294.967_295, u32::MAX), Ok(u32::MAX));
        let refused = scale.to_unsigned(4_294.967_296, u32::MAX).unwrap_err();
        assert_eq!((refused.value, refused.largest), (4_294.967_296, 4_294.967_295));
        for large in [9_007_199_254_740_992.0, 9_007_199_254_740_994.0, 1e22 / 7.0, 1e300, f64::MAX] {
            let scale = Scale::of([0.000_001, large, 0.3], 6).unwrap();
            assert_eq!(scale.to_ticks(large, u32::MAX).unwrap_err().value, large);
            assert_eq!(scale.to_ticks(-large, u32::MAX).unwrap_err().value, -large);
        }
        assert!(Scale::ONE.to_unsigned(-1.0, u32::MAX).is_err());
    }
}
