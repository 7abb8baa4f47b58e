//! What is wrong with a column of a row.

/// A column that cannot be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its name.
    pub column: &'static str,
    /// What would be accepted.
    pub expected: String,
}

impl Mistake {
    /// The mistake of a column unless `is_right`.
    pub(crate) fn unless(
        is_right: bool,
        column: &'static str,
        expected: impl FnOnce() -> String,
    ) -> Option<Self> {
        (!is_right).then(|| Self { column, expected: expected() })
    }

    /// A number that is none: `nan`, or infinite.
    pub(crate) fn unless_finite(column: &'static str, value: f64) -> Option<Self> {
        Self::unless(value.is_finite(), column, || "a finite number".to_string())
    }

    /// A time that is none.
    pub(crate) fn unless_seconds(column: &'static str, value: f64) -> Option<Self> {
        let is_time = value.is_finite() && value >= 0.0;
        Self::unless(is_time, column, || "a number of seconds, 0 or more".to_string())
    }
}
