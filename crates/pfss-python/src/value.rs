//! Numbers between Python and the library: none is taken for another.

use pfss_io::TimeValue;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyString};

use crate::error::input;

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

/// What an object of Python is as a number.
pub(crate) enum Given {
    /// A whole number.
    Whole(i64),
    /// A whole number of more than 64 bits.
    Huge,
    /// A real number, perhaps not finite.
    Real(f64),
    /// A real number that no double holds, and that is not what a double prints either.
    Inexact,
    /// Something else: truths, texts, dates, complex numbers, lists.
    Nothing,
}

impl Given {
    pub(crate) fn of(item: &Bound<'_, PyAny>) -> Self {
        if let Ok(real) = item.cast_exact::<PyFloat>() {
            return Self::Real(real.value());
        }
        if !item.is_exact_instance_of::<PyInt>() && is_other(item) {
            return Self::Nothing;
        }
        // Real numbers have no `__index__`, so this takes whole ones of any type only.
        match item.extract::<i64>() {
            Ok(whole) => Self::Whole(whole),
            Err(error) if error.is_instance_of::<PyOverflowError>(item.py()) => Self::Huge,
            Err(_) => Self::real(item),
        }
    }

    fn real(item: &Bound<'_, PyAny>) -> Self {
        match item.extract::<f64>() {
            Ok(value) if value.is_finite() && !holds(value, item) => Self::Inexact,
            Ok(value) => Self::Real(value),
            Err(_) => Self::Nothing,
        }
    }
}

/// Whether Python would make a number of something that is none.
fn is_other(item: &Bound<'_, PyAny>) -> bool {
    // numpy's and PyTorch's own kinds.
    let dtype = item.getattr("dtype").map(|dtype| dtype.to_string()).unwrap_or_default();
    item.is_instance_of::<PyBool>()
        || item.is_instance_of::<PyString>()
        || item.is_instance_of::<PyBytes>()
        || item.is_instance_of::<PyComplex>()
        || ["bool", "complex", "time"].iter().any(|kind| dtype.contains(kind))
        || item.len().is_ok()
}

/// Whether a double is this number, or the one that this number's text would be read as: `Decimal("0.1")` is 0.1.
fn holds(value: f64, item: &Bound<'_, PyAny>) -> bool {
    let text = || item.get_type().call1((format!("{value:?}"),)).and_then(|printed| printed.eq(item));
    item.eq(value).unwrap_or(false) || text().unwrap_or(false)
}

/// A finite number of units, seconds or whatever else is not a processing time.
#[pyfunction]
pub(crate) fn number(value: &Bound<'_, PyAny>, what: &str) -> PyResult<f64> {
    let told = |reason: &str| Err(input(format!("{what} is {}; {reason}", shown(value))));
    match Given::of(value) {
        Given::Real(real) if real.is_finite() => Ok(real),
        #[expect(clippy::cast_precision_loss, reason = "whole numbers up to here are doubles")]
        Given::Whole(whole) if whole.unsigned_abs() <= MOST_EXACT => Ok(whole as f64),
        Given::Whole(_) | Given::Huge => {
            told(&format!("the largest that is calculated with is {MOST_EXACT}"))
        }
        Given::Inexact => told(INEXACT),
        Given::Real(_) | Given::Nothing => told("expected a number"),
    }
}

/// All whole numbers up to here are doubles.
const MOST_EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// What is wrong with [`Given::Inexact`].
pub(crate) const INEXACT: &str = "no double-precision number is the same; round it";

/// An object as Python shows it.
pub(crate) fn shown(item: &Bound<'_, PyAny>) -> String {
    item.repr().map_or_else(|_| "no number".to_string(), |text| text.to_string())
}
