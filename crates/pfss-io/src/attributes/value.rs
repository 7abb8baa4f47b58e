//! Single values: dates, weights, lengths of time, yes or no.

use crate::clock::{Clock, Meaning, is_date};
use crate::error::{Problem, excerpt};
use crate::times::is_decimal_comma;

/// When a job is released. What was released before the start is there from the start on.
pub(crate) fn release(text: &str, clock: Option<&Clock>) -> Result<f64, Problem> {
    begin(text, clock, "a release date")
}

/// When a machine becomes free. What was free before the start is free from the start on.
pub(crate) fn available_from(text: &str, clock: Option<&Clock>) -> Result<f64, Problem> {
    begin(text, clock, "the time from which a machine is free")
}

/// When a job is due, which may be before the start.
pub(crate) fn due(text: &str, clock: Option<&Clock>) -> Result<f64, Problem> {
    moment(text, clock, Meaning::Due, "a due date")
}

/// What a unit of time late, or of completion, costs.
pub(crate) fn weight(text: &str) -> Result<f64, Problem> {
    not_negative(text, finite(text, "a weight", "a number such as 2 or 0.5")?, "a weight")
}

/// How long a set-up takes.
pub(crate) fn duration(text: &str) -> Result<f64, Problem> {
    not_negative(text, finite(text, "a set-up time", "a number such as 2 or 0.5")?, "a set-up time")
}

/// Yes or no.
pub(crate) fn flag(text: &str) -> Result<bool, Problem> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" | "x" | "1" | "wahr" | "ja" | "vrai" | "oui" => Ok(true),
        "false" | "no" | "n" | "" | "0" | "falsch" | "nein" | "faux" | "non" => Ok(false),
        _ => Err(wrong(format!("found `{}`, expected yes or no", excerpt(text.as_bytes())))),
    }
}

/// A point in time: a number of units, or with a clock a date or a time of day.
pub(crate) fn moment(
    text: &str,
    clock: Option<&Clock>,
    meaning: Meaning,
    what: &str,
) -> Result<f64, Problem> {
    if !is_date(text) {
        let expected = match clock {
            Some(_) => "a number of units, a date such as 2026-11-16T14:30, or a time of day such as 14:30",
            None => "a number of units (dates and times of day need --start-at and --unit)",
        };
        return finite(text, what, expected);
    }
    match clock.map(|clock| clock.units(text, meaning)) {
        Some(Some(units)) => Ok(units),
        Some(None) => {
            Err(wrong(format!("{what} is `{}`, which no calendar reaches", excerpt(text.as_bytes()))))
        }
        None => Err(wrong(format!(
            "{what} is `{}`, a date or a time of day; say when time 0 is with --start-at 2026-11-16T06:00 and what a unit is with --unit min",
            excerpt(text.as_bytes())
        ))),
    }
}

fn begin(text: &str, clock: Option<&Clock>, what: &str) -> Result<f64, Problem> {
    let value = moment(text, clock, Meaning::Begin, what)?;
    if is_date(text) { Ok(value.max(0.0)) } else { not_negative(text, value, what) }
}

fn finite(text: &str, what: &str, expected: &str) -> Result<f64, Problem> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            let hint = if is_decimal_comma(text.as_bytes()) {
                "; write decimals with a point, not a comma"
            } else {
                ""
            };
            Err(wrong(format!("{what} is `{}`, expected {expected}{hint}", excerpt(text.as_bytes()))))
        }
    }
}

fn not_negative(text: &str, value: f64, what: &str) -> Result<f64, Problem> {
    if value < 0.0 {
        return Err(wrong(format!("{what} is `{}`, but it cannot be negative", excerpt(text.as_bytes()))));
    }
    // A zero has no sign.
    Ok(value + 0.0)
}

fn wrong(message: String) -> Problem {
    Problem::Attribute { message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Unit;

    #[test]
    fn values_are_read_or_refused_with_a_reason() {
        let clock = Clock::new("2026-11-16T06:00", Unit::Hour).unwrap();
        assert_eq!(release("3", None).unwrap(), 3.0);
        assert_eq!(release("2026-11-15", Some(&clock)).unwrap(), 0.0);
        assert_eq!(due("2026-11-15T06:00", Some(&clock)).unwrap(), -24.0);
        assert_eq!(due("-3", None).unwrap(), -3.0);
        assert_eq!(available_from("07:00", Some(&clock)).unwrap(), 1.0);
        assert_eq!(weight("0").unwrap(), 0.0);
        for (result, part) in [
            (release("-1", None), "cannot be negative"),
            (release("07:00", None), "--start-at"),
            (release("soon", None), "dates and times of day need"),
            (release("soon", Some(&clock)), "a time of day such as 14:30"),
            (due("1,5", None), "with a point"),
            (due("inf", None), "expected a number of units"),
            (weight("-2"), "a weight is `-2`, but it cannot be negative"),
            (duration("x"), "a set-up time is `x`"),
        ] {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert!(flag("Yes").unwrap() && !flag("no").unwrap() && flag("maybe").is_err());
    }
}
