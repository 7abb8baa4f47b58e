//! Numbers as tables show them.

use crate::reproduction::Gap;

/// What stands where there is no number.
pub(super) const ABSENT: &str = "–";

/// A time with three digits: milliseconds below a hundredth of a second, hours from one on.
pub(super) fn time(seconds: f64) -> String {
    if seconds == 0.0 {
        "0".to_string()
    } else if seconds < 0.01 {
        format!("{} ms", digits(1000.0 * seconds))
    } else if seconds < 3600.0 {
        format!("{} s", digits(seconds))
    } else {
        format!("{} h", digits(seconds / 3600.0))
    }
}

/// Three digits that count, never a power of ten.
fn digits(value: f64) -> String {
    let decimals = if value <= 0.0 { 0 } else { (2 - value.log10().floor() as i32).clamp(0, 6) as usize };
    format!("{value:.decimals$}")
}

/// A mean cost.
pub(super) fn cost(value: f64) -> String {
    if value < 10.0 { format!("{value:.3}") } else { format!("{value:.2}") }
}

/// A gap in percent. A zero has no sign.
pub(super) fn percent(value: f64) -> String {
    let text = format!("{value:.2} %");
    if text == "-0.00 %" { "0.00 %".to_string() } else { text }
}

/// The interval of a gap.
pub(super) fn interval(gap: &Gap) -> String {
    let end = |value: f64| percent(value).trim_end_matches(" %").to_string();
    format!("{} to {}", end(gap.low), end(gap.high))
}

/// What the paper prints, with a blank before the unit, or a dash for nothing.
pub(super) fn printed(text: &str) -> String {
    match text {
        "" => String::new(),
        text => match text.char_indices().last() {
            Some((at, 's' | 'h' | '%')) => format!("{} {}", &text[..at], &text[at..]),
            _ => text.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let texts = [0.000_012_34, 0.005, 0.0123, 1.0, 59.96, 812.4, 4000.0].map(time);
        assert_eq!(texts, ["0.0123 ms", "5.00 ms", "0.0123 s", "1.00 s", "60.0 s", "812 s", "1.11 h"]);
        assert_eq!(time(0.0), "0");
    }

    #[test]
    fn small_gaps_have_no_stray_sign() {
        assert_eq!([percent(-0.001), percent(-0.951), percent(3.4)], ["0.00 %", "-0.95 %", "3.40 %"]);
        assert_eq!([printed("43.1h"), printed("16.8%"), printed("29.2")], ["43.1 h", "16.8 %", "29.2"]);
    }
}
