//! Numbers of a cell as the text that the clock reads: what Excel shows, or a sentence that says why not.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time, date};

use super::format::Format;
use crate::clock::Clock;

const DAY: i64 = 86_400_000;
/// The first day after what Excel knows, 10000-01-01, where days are counted from 1900.
const LAST_DAY: i64 = 2_958_466;

/// How the numbers of a workbook are to be understood.
#[derive(Clone, Copy)]
pub(super) struct Meaning<'c> {
    /// Days are counted from 1904, as Excel on old Macs did.
    pub(super) is_1904: bool,
    /// Times of day say how long something takes: a table of set-ups has no dates.
    pub(super) times_are_durations: bool,
    /// How long a unit is.
    pub(super) clock: Option<&'c Clock>,
}

/// The milliseconds of a number of days; none beyond what Excel knows.
#[expect(clippy::cast_possible_truncation, reason = "below 2^53")]
fn milliseconds_of(days: f64) -> Option<i64> {
    let milliseconds = (days * number(DAY)).round();
    (milliseconds.abs() <= number(LAST_DAY * DAY)).then_some(milliseconds as i64)
}

#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
fn number(milliseconds: i64) -> f64 {
    milliseconds as f64
}

impl Meaning<'_> {
    /// The text of a number that is shown in this format.
    pub(super) fn text(&self, value: f64, format: Format) -> Result<String, String> {
        if format == Format::Number {
            return Ok(shortest(value));
        }
        // Excel stores times as fractions of days, which have a thousandth of a second at best.
        let Some(milliseconds) = milliseconds_of(value) else {
            return Err(format!("its format is one of dates or times, but {value} is neither"));
        };
        match format {
            Format::Duration => self.duration(milliseconds),
            Format::Time => self.time(milliseconds),
            Format::DateOrTime if (0..DAY).contains(&milliseconds) => self.time(milliseconds),
            Format::Date => self.date(milliseconds),
            Format::DateOrTime if milliseconds % DAY == 0 => self.date(milliseconds),
            _ => self.moment(milliseconds).map(moment_text),
        }
    }

    /// The text of a date, a time of day or both as ISO 8601 has them, which some programs store as they are.
    pub(super) fn iso_text(&self, text: &str, format: Format) -> Result<String, String> {
        let text = text.trim_end_matches('Z');
        if let Ok(moment) = text.parse::<DateTime>() {
            let is_date = format == Format::Date && moment.time() == Time::midnight();
            return Ok(if is_date || !text.contains(':') {
                moment.date().to_string()
            } else {
                moment_text(moment)
            });
        }
        let time = text.trim_start_matches('T').parse::<Time>();
        let wrong = |_| format!("found `{text}`, expected a date such as 2026-11-16T14:30");
        let time = time.map_err(wrong)?;
        let since = time.duration_since(Time::midnight()).as_millis();
        self.time(i64::try_from(since).unwrap_or_default())
    }

    fn duration(&self, milliseconds: i64) -> Result<String, String> {
        match self.clock {
            Some(clock) => Ok(shortest(clock.unit().units(number(milliseconds) / 1000.0))),
            None => Err(format!(
                "it holds a duration, {}; say how long a unit of time is with --start-at 2026-11-16T06:00 and --unit min, or write a number of units",
                hours(milliseconds)
            )),
        }
    }

    fn time(&self, milliseconds: i64) -> Result<String, String> {
        if self.times_are_durations {
            return self.duration(milliseconds);
        }
        if (0..DAY).contains(&milliseconds) {
            return Ok(time_text(time_of(milliseconds)));
        }
        Err(format!(
            "it shows a time of day only, but holds {}; give it the format `[h]:mm` for a duration, or one with a date",
            self.moment(milliseconds).map_or_else(
                |_| hours(milliseconds),
                |m| format!("{} or {}", moment_text(m), hours(milliseconds))
            )
        ))
    }

    fn date(&self, milliseconds: i64) -> Result<String, String> {
        let moment = self.moment(milliseconds)?;
        if moment.time() == Time::midnight() {
            return Ok(moment.date().to_string());
        }
        Err(format!(
            "it shows a date only, but holds {}; give it a format that shows the time of day, or take the time away",
            moment_text(moment)
        ))
    }

    fn moment(&self, milliseconds: i64) -> Result<DateTime, String> {
        let day = milliseconds.div_euclid(DAY);
        let first = self.first_day(day).ok_or_else(|| {
            format!(
                "its format is one of dates, but {} is before the first one of Excel",
                shortest(number(milliseconds) / number(DAY))
            )
        })?;
        let wrong =
            |_| "its format is one of dates, but no calendar reaches as far as its number".to_string();
        let date = first.checked_add(day.days()).map_err(wrong)?;
        Ok(date.to_datetime(time_of(milliseconds.rem_euclid(DAY))))
    }

    /// The day that has number 0, where a day of this number is counted from. Excel counts from 1900 as if that year
    /// had a 29 February, which has number 60.
    fn first_day(&self, day: i64) -> Option<Date> {
        match (self.is_1904, day) {
            (true, 0..) => Some(date(1904, 1, 1)),
            (false, 1..=59) => Some(date(1899, 12, 31)),
            (false, 61..) => Some(date(1899, 12, 30)),
            _ => None,
        }
    }
}

/// A number with the fifteen digits that Excel shows and calculates with: a sum of 0.1 and 0.2 is 0.3.
fn shortest(value: f64) -> String {
    let shown = format!("{value:.14e}").parse().unwrap_or(value);
    // Longer whole numbers are left as they are.
    let shown = if value.abs() < 1e15 { shown } else { value };
    shown.to_string()
}

fn hours(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    let seconds = milliseconds.unsigned_abs() / 1000;
    let text = format!("{sign}{}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds.is_multiple_of(60) {
        format!("{text} hours")
    } else {
        format!("{text}:{:02} hours", seconds % 60)
    }
}

/// The time of day so many milliseconds after midnight.
fn time_of(milliseconds: i64) -> Time {
    Time::midnight().wrapping_add(milliseconds.milliseconds())
}

fn time_text(time: Time) -> String {
    match time.millisecond() {
        0 => time.strftime("%H:%M:%S").to_string(),
        rest => format!("{}.{rest:03}", time.strftime("%H:%M:%S")),
    }
}

fn moment_text(moment: DateTime) -> String {
    format!("{}T{}", moment.date(), time_text(moment.time()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Unit;

    const PLAIN: Meaning<'_> = Meaning { is_1904: false, times_are_durations: false, clock: None };

    #[test]
    fn numbers_are_what_excel_shows() {
        for (value, format, text) in [
            (46342.0, Format::Date, "2026-11-16"),
            (46342.0, Format::Moment, "2026-11-16T00:00:00"),
            (46_342.604_166_666_664, Format::Moment, "2026-11-16T14:30:00"),
            (46_342.999_999_999_9, Format::Moment, "2026-11-17T00:00:00"),
            (0.0, Format::Time, "00:00:00"),
            (0.604_166_666_666_667, Format::Time, "14:30:00"),
            (0.25 + 0.001 / 86_400.0, Format::Time, "06:00:00.001"),
            (0.25, Format::DateOrTime, "06:00:00"),
            (46342.0, Format::DateOrTime, "2026-11-16"),
            (46342.5, Format::DateOrTime, "2026-11-16T12:00:00"),
            (1.0, Format::Date, "1900-01-01"),
            (59.0, Format::Date, "1900-02-28"),
            (61.0, Format::Date, "1900-03-01"),
            (0.1 + 0.2, Format::Number, "0.3"),
            (4.5, Format::Number, "4.5"),
            (1234.0, Format::Number, "1234"),
            (1e300, Format::Number, &format!("{}", 1e300)),
        ] {
            assert_eq!(PLAIN.text(value, format).as_deref(), Ok(text), "{value}");
        }
        let mac = Meaning { is_1904: true, ..PLAIN };
        assert_eq!(mac.text(44880.0, Format::Date).unwrap(), "2026-11-16");
        assert_eq!(mac.text(0.0, Format::Date).unwrap(), "1904-01-01");
    }

    #[test]
    fn durations_are_in_units_or_refused() {
        let clock = Clock::new("2026-11-16", Unit::Minute).unwrap();
        let units = Meaning { clock: Some(&clock), ..PLAIN };
        assert_eq!(units.text(1.5, Format::Duration).unwrap(), "2160");
        assert_eq!(units.text(40.0 / 1440.0, Format::Duration).unwrap(), "40");
        assert_eq!(units.text(-0.5, Format::Duration).unwrap(), "-720");
        let setups = Meaning { times_are_durations: true, ..units };
        assert_eq!(setups.text(40.0 / 1440.0, Format::Time).unwrap(), "40");
        let message = PLAIN.text(1.5, Format::Duration).unwrap_err();
        assert!(
            message.contains("a duration, 36:00 hours; say how long") && message.contains("--unit"),
            "{message}"
        );
    }

    #[test]
    fn what_a_format_hides_is_refused() {
        for (value, format, part) in [
            (46342.5, Format::Date, "but holds 2026-11-16T12:00:00"),
            (1.5, Format::Time, "holds 1900-01-01T12:00:00 or 36:00 hours"),
            (-0.25, Format::Time, "holds -6:00 hours"),
            (60.0, Format::Date, "60 is before the first one"),
            (0.5, Format::Moment, "0.5 is before"),
            (-1.0, Format::Date, "-1 is before"),
            (1e300, Format::Date, "neither"),
            (f64::INFINITY, Format::Duration, "neither"),
        ] {
            let message = PLAIN.text(value, format).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn iso_dates_are_read_as_they_are() {
        for (text, format, expected) in [
            ("2026-11-16T00:00:00", Format::Moment, "2026-11-16T00:00:00"),
            ("2026-11-16T00:00:00Z", Format::Date, "2026-11-16"),
            ("2026-11-16", Format::Date, "2026-11-16"),
            ("14:30:00", Format::Time, "14:30:00"),
        ] {
            assert_eq!(PLAIN.iso_text(text, format).as_deref(), Ok(expected));
        }
        assert!(PLAIN.iso_text("tomorrow", Format::Date).is_err());
    }
}
