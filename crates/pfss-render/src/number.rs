//! Numbers as text, the same on every machine.

/// A number for people: integers in full, reals with six significant digits, very large or very small
/// values as powers of ten.
pub fn format_number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        value.to_string()
    } else if size == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e15).contains(&size) {
        scientific(value)
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        let decimals = (5 - size.log10().floor() as i32).clamp(1, 9) as usize;
        trimmed(&format!("{value:.decimals$}"))
    }
}

/// A number with at most `decimals` decimals and no needless zeros.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    trimmed(&format!("{value:.decimals$}"))
}

/// A position on the page: hundredths of a pixel, so that output is small and stable.
pub(crate) fn coordinate(value: f64) -> String {
    fixed(value, 2)
}

/// A number that reads back as the same number in JavaScript and JSON.
pub(crate) fn exact(value: f64) -> String {
    if value.is_finite() { format!("{value:?}").trim_end_matches(".0").to_owned() } else { "null".to_owned() }
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.3e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
        None => text,
    }
}

fn trimmed(text: &str) -> String {
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_readable() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (34.0, "34"),
            (4_294_967_295.0, "4294967295"),
            (0.1 + 0.2, "0.3"),
            (12_345.678, "12345.7"),
            (999_999.96, "1000000"),
            (1.0 / 3.0, "0.333333"),
            (-2.5, "-2.5"),
            (1.5e-7, "1.5e-7"),
            (2e300, "2e300"),
        ];
        for (value, text) in cases {
            assert_eq!(format_number(value), text);
        }
    }

    #[test]
    fn positions_have_two_decimals_and_no_negative_zero() {
        assert_eq!(coordinate(1.005_1), "1.01");
        assert_eq!(coordinate(-0.001), "0");
        assert_eq!(coordinate(100.0), "100");
    }

    #[test]
    fn exact_numbers_read_back() {
        for value in [0.1 + 0.2, 1e-300, 123.0, 4_294_967_295.0, 1e22] {
            assert_eq!(exact(value).parse::<f64>().unwrap(), value);
        }
        assert_eq!(exact(7.0), "7");
        assert_eq!(exact(f64::NAN), "null");
    }
}
