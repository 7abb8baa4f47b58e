//! Numbers on their way to Python: whole ones stay whole.

use pfss_io::TimeValue;
use pyo3::prelude::*;

/// A value that Python sees as `int` or `float`.
#[derive(Clone, Copy, IntoPyObject)]
pub(crate) enum Number {
    /// A whole number.
    Whole(i64),
    /// A real number.
    Real(f64),
}

impl From<TimeValue> for Number {
    fn from(value: TimeValue) -> Self {
        match value {
            TimeValue::Integer(value) => Self::Whole(i64::from(value)),
            TimeValue::Whole(value) => Self::Whole(value),
            TimeValue::Real(value) => Self::Real(value),
        }
    }
}
