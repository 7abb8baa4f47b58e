//! Where an axis has its ticks, and what they say.

use crate::number::{fixed, format_number};

/// One tick: a value and its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// More ticks than any axis needs; keeps extreme ranges from looping.
const MOST_TICKS: f64 = 200.0;

/// Ticks at multiples of 1, 2 or 5 times a power of ten within `low..=high`, about `target` of them.
/// With `integral`, ticks stay on whole numbers.
pub(crate) fn linear_ticks(low: f64, high: f64, target: usize, integral: bool) -> Vec<Tick> {
    let raw = (high - low) / target.max(1) as f64;
    if !(raw.is_finite() && raw > 0.0) {
        return vec![Tick { value: low, label: format_number(low) }];
    }
    let (mut digit, mut exponent) = nice_step(raw);
    if integral && exponent < 0 {
        (digit, exponent) = (1.0, 0);
    }
    let first = scaled(low, digit, exponent).ceil();
    let last = scaled(high, digit, exponent).floor();
    if !(first.is_finite() && last.is_finite()) || last - first > MOST_TICKS {
        return vec![Tick { value: low, label: format_number(low) }];
    }
    (0..=(last - first).max(0.0) as usize)
        .map(|index| {
            let value = multiple((first + index as f64) * digit, exponent);
            Tick { value, label: tick_label(value, exponent) }
        })
        .filter(|tick| tick.value <= high)
        .collect()
}

/// Ticks of a logarithmic axis over `low..=high` (both positive): powers of ten, and 2 and 5 between them
/// where there is room for `target` ticks.
pub(crate) fn log_ticks(low: f64, high: f64, target: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = (last - first).max(1) as usize;
    let digits: &[f64] = if decades * 3 <= target.max(3) { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let stride = decades.div_ceil(target.max(1)).max(1);
    (first..=last)
        .step_by(stride)
        .flat_map(|exponent| digits.iter().map(move |&digit| multiple(digit, exponent)))
        .filter(|value| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value))
        .map(|value| Tick { value, label: format_number(value) })
        .collect()
}

/// The smallest 1, 2 or 5 times a power of ten that is at least `raw`: the digit and the power.
fn nice_step(raw: f64) -> (f64, i32) {
    let exponent = raw.log10().floor() as i32;
    let mantissa = scaled(raw, 1.0, exponent);
    // A mantissa of 1.0000000001 is 1.
    let reaches = |digit: f64| mantissa <= digit * (1.0 + 1e-9);
    if reaches(1.0) {
        (1.0, exponent)
    } else if reaches(2.0) {
        (2.0, exponent)
    } else if reaches(5.0) {
        (5.0, exponent)
    } else {
        (1.0, exponent + 1)
    }
}

/// `value / (digit * 10^exponent)`.
fn scaled(value: f64, digit: f64, exponent: i32) -> f64 {
    if exponent < 0 { value * 10f64.powi(-exponent) / digit } else { value / (digit * 10f64.powi(exponent)) }
}

/// `count * 10^exponent`, rounded once.
fn multiple(count: f64, exponent: i32) -> f64 {
    if exponent < 0 { count / 10f64.powi(-exponent) } else { count * 10f64.powi(exponent) }
}

/// The label shows as many decimals as the step has, on all ticks alike.
fn tick_label(value: f64, exponent: i32) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if exponent < -6 || value.abs() >= 1e10 {
        format_number(value)
    } else if exponent < 0 {
        format!("{value:.0$}", -exponent as usize)
    } else {
        fixed(value, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_nice() {
        assert_eq!(labels(&linear_ticks(0.0, 34.0, 7, true)), ["0", "5", "10", "15", "20", "25", "30"]);
        assert_eq!(labels(&linear_ticks(0.0, 1.0, 5, false)), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&linear_ticks(0.0, 3.0, 10, true)), ["0", "1", "2", "3"]);
        assert_eq!(labels(&linear_ticks(-1.0, 1.0, 2, false)), ["-1", "0", "1"]);
    }

    #[test]
    fn steps_are_one_two_or_five_and_ticks_stay_inside() {
        for high in [0.003, 0.7, 1.0, 9.9, 34.0, 1278.0, 54_321.0, 4e9, 3e200, 1e-200] {
            for target in 2..12 {
                let ticks = linear_ticks(0.0, high, target, false);
                assert!(ticks.len() >= 2 && ticks.len() <= target + 1, "{high} {target} {}", ticks.len());
                let step = ticks[1].value;
                let mantissa = step / 10f64.powf(step.log10().floor());
                assert!([1.0, 2.0, 5.0, 10.0].iter().any(|m| (m - mantissa).abs() < 1e-6), "{step}");
                assert!(ticks.iter().all(|tick| tick.value <= high));
            }
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(labels(&log_ticks(0.01, 100.0, 6)), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(labels(&log_ticks(0.5, 20.0, 9)), ["0.5", "1", "2", "5", "10", "20"]);
        assert!(log_ticks(1e-9, 1e9, 6).len() <= 7);
    }

    #[test]
    fn degenerate_ranges_terminate() {
        for (low, high) in [(1.0, 1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0), (0.0, 5e-324), (2.0, 1.0)] {
            assert!(linear_ticks(low, high, 8, false).len() <= 201);
        }
        assert!(linear_ticks(1e18, 1e18 + 1000.0, 8, false).len() <= 201);
    }
}
