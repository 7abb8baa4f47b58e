//! Values that several commands take.

use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pfss_core::generate::{DueDates, Setups};
use pfss_core::timing::Objective;
use pfss_io::{Format, Unit};

/// A format by its name.
pub(super) fn format() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|format| PossibleValue::new(format.name()).help(format.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

/// An objective by its name.
pub(super) fn objective() -> impl TypedValueParser<Value = Objective> {
    let names = Objective::ALL.map(|objective| PossibleValue::new(objective.name()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Objective>())
}

/// A unit of time by its name.
pub(super) fn unit() -> impl TypedValueParser<Value = Unit> {
    PossibleValuesParser::new(Unit::ALL.map(Unit::name)).try_map(|name| name.parse::<Unit>())
}

/// The name of an algorithm.
pub(super) fn algorithm() -> PossibleValuesParser {
    let known = pfss::algorithms().iter();
    let known = known.map(|known| PossibleValue::new(known.name).help(known.summary));
    // Accepted here, so that the registry can say how to get them.
    let missing = pfss::missing_algorithms().iter().map(|name| PossibleValue::new(*name).hide(true));
    PossibleValuesParser::new(known.chain(missing).collect::<Vec<_>>())
}

/// One of several names. Without tours in this build, `tsp` is accepted here only to say how to get them.
pub(super) fn with_tours<T: ValueEnum + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    let known = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let missing = (!cfg!(feature = "tsp")).then(|| PossibleValue::new("tsp").hide(true));
    PossibleValuesParser::new(known.chain(missing).collect::<Vec<_>>()).try_map(|name| {
        T::from_str(&name, false).map_err(
            |_| "this build has no tours; build with `cargo install --path crates/pfss-cli --features tsp`",
        )
    })
}

/// A length of time: plain seconds (`2.5`) or with units (`500ms`, `10s`, `1m 30s`).
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let accepted = "expected seconds such as `2.5`, or a time with a unit such as `500ms`, `10s`, `2m`";
    match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| accepted.to_string()),
        Err(_) => humantime::parse_duration(text).map_err(|_| accepted.to_string()),
    }
}

/// How due dates are drawn: `0.4,0.6`.
pub(super) fn due_dates(text: &str) -> Result<DueDates, String> {
    let accepted = "expected a tightness from 0 to 1 and a range from 0 to 2, such as `0.4,0.6`";
    let (tightness, range) = text.split_once(',').ok_or(accepted)?;
    match (tightness.trim().parse::<f64>(), range.trim().parse::<f64>()) {
        (Ok(tightness), Ok(range)) if (0.0..=1.0).contains(&tightness) && (0.0..=2.0).contains(&range) => {
            Ok(DueDates { tightness, range })
        }
        _ => Err(accepted.to_string()),
    }
}

/// How set-ups are drawn: `4,50`.
pub(super) fn setups(text: &str) -> Result<Setups, String> {
    let accepted = "expected a number of families and a percentage, such as `4,50`";
    let (families, percent) = text.split_once(',').ok_or(accepted)?;
    match (families.trim().parse::<usize>(), percent.trim().parse::<u32>()) {
        (Ok(families), Ok(percent)) if families > 0 && (1..=1000).contains(&percent) => {
            Ok(Setups { families, percent })
        }
        _ => Err(accepted.to_string()),
    }
}

/// A finite number.
pub(super) fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("expected a finite number".to_string()),
    }
}

/// A finite number that is not negative.
pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("expected a finite number that is not negative".to_string()),
    }
}

/// A size of memory in bytes, or with a unit of 1024 (`512M`, `2G`, `1.5GiB`); at least one mebibyte.
pub(super) fn memory(text: &str) -> Result<usize, String> {
    let accepted = "expected a size of at least 1M, such as `512M` or `2G`";
    let lower = text.trim().to_ascii_lowercase();
    let number = lower.trim_end_matches("ib").trim_end_matches('b');
    let (number, unit) = match number.char_indices().last() {
        Some((at, unit @ ('k' | 'm' | 'g' | 't'))) => (&number[..at], unit),
        _ => (number, ' '),
    };
    let unit = match unit {
        'k' => 1u64 << 10,
        'm' => 1 << 20,
        'g' => 1 << 30,
        't' => 1 << 40,
        _ => 1,
    };
    match number.trim().parse::<f64>() {
        // Above 2^53 no plain number is exact, and no machine has as much.
        Ok(number) if number * unit as f64 >= (1 << 20) as f64 && number * (unit as f64) < 9e15 => {
            usize::try_from((number * unit as f64) as u64).map_err(|_| accepted.to_string())
        }
        _ => Err(accepted.to_string()),
    }
}

/// Where a page comes from: a scheme and a host, nothing behind it.
#[cfg(feature = "serve")]
pub(super) fn origin(text: &str) -> Result<String, String> {
    let plain = text.trim().trim_end_matches('/').to_ascii_lowercase();
    let host = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://")).unwrap_or_default();
    match !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) {
        true => Ok(plain),
        false => Err("expected an origin such as `https://plan.example.com`".to_string()),
    }
}

/// A count, also as a power of ten (`1e6`) or grouped (`1_000_000`).
pub(super) fn count(text: &str) -> Result<u64, String> {
    let plain = text.trim().replace('_', "");
    if let Ok(value) = plain.parse::<u64>() {
        return Ok(value);
    }
    match plain.parse::<f64>() {
        // Above 2^53 a power of ten is no longer exact.
        Ok(value) if value >= 0.0 && value.fract() == 0.0 && value <= 9e15 => Ok(value as u64),
        _ => Err("expected a whole number such as `1000000` or `1e6`".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_plain_seconds_or_have_units() {
        assert_eq!(duration("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1m 30s"), Ok(Duration::from_secs(90)));
        for wrong in ["-1", "NaN", "inf", "", "10 parsecs", "1e300"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_drawn_has_two_numbers() {
        assert_eq!(due_dates("0.4,0.6"), Ok(DueDates { tightness: 0.4, range: 0.6 }));
        assert_eq!(setups("4, 50"), Ok(Setups { families: 4, percent: 50 }));
        for wrong in ["", "1", "2,0.5", "0.5,-1", "a,b"] {
            assert!(due_dates(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "4", "0,50", "4,0", "4,5000", "4,x"] {
            assert!(setups(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_of_memory_have_units_of_1024() {
        assert_eq!(memory("512M"), Ok(512 << 20));
        assert_eq!(memory("1.5 GiB"), Ok(3 << 29));
        assert_eq!(memory("2g"), Ok(2 << 30));
        assert_eq!(memory("2097152"), Ok(2 << 20));
        for wrong in ["", "M", "0", "-1G", "100", "1K", "NaN", "infG", "1e300", "5 parsecs"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_may_be_powers_of_ten() {
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert_eq!(count("1_000"), Ok(1000));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["-1", "1.5", "x", "1e99", "NaN"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }
}
