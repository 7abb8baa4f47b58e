//! Ranges of parameters.

use super::parameter::Parameter;
use super::size::GenerateError;

/// A value as a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked in the line above")]
pub(super) fn whole(parameter: Parameter, value: f64) -> Result<u32, GenerateError> {
    let is_whole = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
    accept(is_whole, parameter.as_str(), value, "a whole number from 0 to 4294967295")?;
    Ok(value as u32)
}

pub(super) fn positive(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept(value.is_finite() && value > 0.0, name, value, "a positive number")
}

pub(super) fn not_negative(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept(value.is_finite() && value >= 0.0, name, value, "a number that is not negative")
}

pub(super) fn finite(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept(value.is_finite(), name, value, "a finite number")
}

pub(super) fn share(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept((0.0..=1.0).contains(&value), name, value, "a number from 0 to 1")
}

/// The least time is not above the greatest.
pub(super) fn in_order(low: u32, high: u32) -> Result<(), GenerateError> {
    accept(low <= high, "low", low, "at most `high`")
}

pub(super) fn accept(
    good: bool,
    name: &'static str,
    value: impl ToString,
    accepted: &'static str,
) -> Result<(), GenerateError> {
    if good { Ok(()) } else { Err(GenerateError::Parameter { name, value: value.to_string(), accepted }) }
}
