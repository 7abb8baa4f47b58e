//! Clock time: when time zero is, how long a unit takes, and the way between dates and units.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time, datetime};
use thiserror::Error;

/// How long one unit of an instance's times is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day of 24 hours.
    Day,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 4] = [Self::Second, Self::Minute, Self::Hour, Self::Day];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Second => "s",
            Self::Minute => "min",
            Self::Hour => "h",
            Self::Day => "d",
        }
    }

    /// How many seconds it has.
    pub fn seconds(self) -> f64 {
        match self {
            Self::Second => 1.0,
            Self::Minute => 60.0,
            Self::Hour => 3600.0,
            Self::Day => 86_400.0,
        }
    }

    /// How many of it a number of seconds is.
    pub(crate) fn units(self, seconds: f64) -> f64 {
        // Six decimals of a day are less than a tenth of a second, and can be calculated with exactly.
        (seconds / self.seconds() * 1e6).round() / 1e6
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text says no time or unit.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockError {
    /// The unit is not known.
    #[error("there is no unit `{0}`; known are s, min, h and d")]
    Unit(String),
    /// The start is no date with a time of day.
    #[error("`{0}` is no date; expected one such as 2026-11-16T06:00 or 2026-11-16")]
    Start(String),
}

impl FromStr for Unit {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Self, ClockError> {
        Self::ALL
            .into_iter()
            .find(|unit| unit.name() == text)
            .ok_or_else(|| ClockError::Unit(text.to_string()))
    }
}

/// What a date is for, where that decides what it means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// Something begins: a date without a time of day is its first moment.
    Begin,
    /// Something is due: a date without a time of day is its last moment.
    Due,
    /// A break ends that began so many units after the start: a time of day is the first one after that.
    EndAfter(f64),
}

/// When time zero is and how long a unit takes, in local civil time: no zones, no clock changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    start: DateTime,
    unit: Unit,
}

impl Clock {
    /// A clock whose time zero is `start`, such as `2026-11-16T06:00`.
    ///
    /// # Errors
    /// [`ClockError`] where `start` is no date.
    pub fn new(start: &str, unit: Unit) -> Result<Self, ClockError> {
        match Written::of(start.trim()) {
            Some(Written::Date(date)) => Ok(Self { start: date.to_datetime(Time::midnight()), unit }),
            Some(Written::DateTime(start)) => Ok(Self { start, unit }),
            _ => Err(ClockError::Start(start.to_string())),
        }
    }

    /// How long a unit takes.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Seconds since the midnight before time zero.
    pub fn seconds_of_day(&self) -> f64 {
        let midnight = self.start.date().to_datetime(Time::midnight());
        self.start.duration_since(midnight).as_secs_f64()
    }

    /// The date and time of day of a number of units: `2026-11-16T06:00`, with seconds where there are any.
    pub fn date(&self, units: f64) -> String {
        let Some(moment) = self.moment(units) else {
            return format!("{units} {} after the start", self.unit);
        };
        let (seconds, rest) = (moment.second(), moment.millisecond());
        let text = moment.strftime("%Y-%m-%dT%H:%M").to_string();
        match (seconds, rest) {
            (0, 0) => text,
            (seconds, 0) => format!("{text}:{seconds:02}"),
            (seconds, rest) => format!("{text}:{seconds:02}.{rest:03}"),
        }
    }

    /// The moment of a number of units as milliseconds since 1970-01-01T00:00 on the same clock, or `None` where no calendar
    /// reaches.
    pub fn milliseconds_since_1970(&self, units: f64) -> Option<i64> {
        let since = self.moment(units)?.duration_since(datetime(1970, 1, 1, 0, 0, 0, 0));
        i64::try_from(since.as_millis()).ok()
    }

    #[expect(clippy::cast_possible_truncation, reason = "checked to be in range")]
    fn moment(&self, units: f64) -> Option<DateTime> {
        // A part of a minute, an hour or a day is rounded to decimals, which no clock should show.
        let step = if self.unit == Unit::Second { 1.0 } else { 1000.0 };
        let milliseconds = (units * self.unit.seconds() * 1000.0 / step).round() * step;
        let is_in_range = milliseconds.abs() < 9e18;
        let passed = is_in_range.then(|| SignedDuration::from_millis(milliseconds as i64))?;
        self.start.checked_add(passed).ok()
    }

    /// How many units after the start a date or a time of day is, or `None` where the text is neither.
    pub fn units(&self, text: &str, meaning: Meaning) -> Option<f64> {
        let moment = match Written::of(text)? {
            Written::DateTime(moment) => moment,
            Written::Date(date) => {
                let date = if meaning == Meaning::Due { date.tomorrow().ok()? } else { date };
                date.to_datetime(Time::midnight())
            }
            Written::Time(time) => {
                let from = match meaning {
                    Meaning::EndAfter(units) => self.start.checked_add(self.duration(units)?).ok()?,
                    _ => self.start,
                };
                let today = from.date().to_datetime(time);
                if today >= from { today } else { from.date().tomorrow().ok()?.to_datetime(time) }
            }
        };
        Some(self.unit.units(moment.duration_since(self.start).as_secs_f64()))
    }

    fn duration(&self, units: f64) -> Option<SignedDuration> {
        SignedDuration::try_from_secs_f64(units * self.unit.seconds()).ok()
    }
}

/// Whether a text is a date or a time of day.
pub(crate) fn is_date(text: &str) -> bool {
    Written::of(text).is_some()
}

/// How many seconds a duration has that is written such as `0:40`, `36:00` or `1:30:15.250`: hours, minutes, seconds.
pub(crate) fn duration_seconds(text: &str) -> Option<f64> {
    let (hours, rest) = text.split_once(':')?;
    let within_hour = time_of(&format!("0:{rest}"))?.duration_since(Time::midnight()).as_secs_f64();
    // A year has less than five digits of hours.
    let hours = digits(hours).filter(|_| hours.len() <= 4)?;
    Some(f64::from(hours) * 3600.0 + within_hour)
}

/// A date, a time of day or both, as written.
enum Written {
    Date(Date),
    Time(Time),
    DateTime(DateTime),
}

impl Written {
    /// Reads `2026-11-16`, `16.11.2026`, `06:00`, `06:00:30`, `06:00:30.250`, and a date and a time with `T` or a blank
    /// between them.
    fn of(text: &str) -> Option<Self> {
        if let Some((date, time)) = text.split_once(['T', 't', ' ']) {
            return Some(Self::DateTime(date_of(date)?.to_datetime(time_of(time.trim())?)));
        }
        date_of(text).map(Self::Date).or_else(|| time_of(text).map(Self::Time))
    }
}

fn date_of(text: &str) -> Option<Date> {
    let (separator, swap) = if text.contains('.') { ('.', true) } else { ('-', false) };
    let parts: Vec<i16> = text.split(separator).map(digits).collect::<Option<_>>()?;
    let &[a, b, c] = parts.as_slice() else { return None };
    let (year, day) = if swap { (c, a) } else { (a, c) };
    // Two digits may be a year, a month or a day.
    if year < 1000 {
        return None;
    }
    Date::new(year, i8::try_from(b).ok()?, i8::try_from(day).ok()?).ok()
}

fn time_of(text: &str) -> Option<Time> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(nanoseconds(fraction)?)),
        None => (text, None),
    };
    let parts: Vec<i8> =
        whole.split(':').map(|part| i8::try_from(digits(part)?).ok()).collect::<Option<_>>()?;
    match (parts.as_slice(), fraction) {
        (&[hour, minute], None) => Time::new(hour, minute, 0, 0).ok(),
        (&[hour, minute, second], fraction) => Time::new(hour, minute, second, fraction.unwrap_or(0)).ok(),
        _ => None,
    }
}

/// The nanoseconds of the digits behind the point of a second.
fn nanoseconds(fraction: &str) -> Option<i32> {
    let is_fraction = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if is_fraction { format!("{fraction:0<9}").parse().ok() } else { None }
}

/// A number of digits only.
fn digits(text: &str) -> Option<i16> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> Clock {
        Clock::new("2026-11-16T06:00", Unit::Minute).unwrap()
    }

    #[test]
    fn dates_become_units() {
        for (text, units) in [
            ("06:00", 0.0),
            ("07:30", 90.0),
            ("05:00", 23.0 * 60.0),
            ("07:30:30", 90.5),
            ("07:30:30.600", 90.51),
            ("2026-11-16 07:00", 60.0),
            ("2026-11-17T06:00", 1440.0),
            ("17.11.2026 06:00", 1440.0),
            ("2026-11-16", -360.0),
            ("2026-11-15T06:00", -1440.0),
        ] {
            assert_eq!(clock().units(text, Meaning::Begin), Some(units), "{text}");
        }
        assert_eq!(clock().units("2026-11-16", Meaning::Due), Some(18.0 * 60.0));
        assert_eq!(clock().units("06:30", Meaning::EndAfter(60.0)), Some(1470.0));
        for wrong in [
            "",
            "x",
            "25:00",
            "2026-13-01",
            "16/11/2026",
            "6",
            "1:2:3:4",
            "01-02-03",
            "2026-11-16T",
            "06:00.5",
            "06:00:00.",
            "06:00:00.x",
        ] {
            assert_eq!(clock().units(wrong, Meaning::Begin), None, "{wrong}");
        }
    }

    #[test]
    fn durations_are_hours_minutes_and_seconds() {
        for (text, seconds) in
            [("0:40", 2400.0), ("36:00", 129_600.0), ("00:00:30.250", 30.25), ("8760:00", 31_536_000.0)]
        {
            assert_eq!(duration_seconds(text), Some(seconds), "{text}");
        }
        for wrong in ["", "40", ":40", "0:60", "0:4:5:6", "-1:00", "99999:00", "1:xx"] {
            assert_eq!(duration_seconds(wrong), None, "{wrong}");
        }
        assert_eq!(Unit::Hour.units(2400.0), 0.666667);
    }

    #[test]
    fn units_become_dates() {
        assert_eq!(clock().date(0.0), "2026-11-16T06:00");
        assert_eq!(clock().date(1440.5), "2026-11-17T06:00:30");
        assert_eq!(clock().date(1.0 / 60.0), "2026-11-16T06:00:01");
        let seconds = Clock::new("2026-11-16T06:00", Unit::Second).unwrap();
        assert_eq!(seconds.date(0.06), "2026-11-16T06:00:00.060");
        assert_eq!(seconds.units(&seconds.date(0.06), Meaning::Begin), Some(0.06));
        let new_year = Clock::new("1970-01-01", Unit::Hour).unwrap();
        assert_eq!(new_year.milliseconds_since_1970(1.5), Some(5_400_000));
        assert_eq!(new_year.milliseconds_since_1970(-1.0), Some(-3_600_000));
        assert_eq!(new_year.milliseconds_since_1970(1e300), None);
        let days = Clock::new("2026-11-16", Unit::Day).unwrap();
        let units = days.units("07:20", Meaning::Begin).unwrap();
        assert_eq!((units, days.date(units).as_str()), (0.305556, "2026-11-16T07:20"));
        assert_eq!(clock().date(-60.0), "2026-11-16T05:00");
        assert_eq!(clock().date(1e300), format!("{} min after the start", 1e300));
    }

    #[test]
    fn starts_and_units_are_read() {
        assert_eq!(Clock::new("2026-11-16", Unit::Hour).unwrap().date(1.0), "2026-11-16T01:00");
        assert!(Clock::new("06:00", Unit::Hour).unwrap_err().to_string().contains("2026-11-16T06:00"));
        for unit in Unit::ALL {
            assert_eq!(unit.name().parse(), Ok(unit));
        }
        assert!("week".parse::<Unit>().is_err());
    }
}
