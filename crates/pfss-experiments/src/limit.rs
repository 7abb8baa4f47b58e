//! The limit that every run of a bench has.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use pfss_core::Limits;
use thiserror::Error;

/// How long each run of a bench may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunLimit {
    /// `num_jobs * (num_machines / 2) * factor` milliseconds, the rule of the flow shop literature
    /// (Ruiz and Stützle 2007).
    TimeFactor(f64),
    /// The same wall-clock time for every instance.
    Time(Duration),
    /// The same number of evaluations for every instance; the reproducible limit.
    Evaluations(u64),
}

/// A limit that no run could have.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("the time factor must be a positive number, not {0}")]
pub struct LimitError(f64);

impl RunLimit {
    /// A time factor, checked.
    ///
    /// # Errors
    /// [`LimitError`] when it is not a positive finite number.
    pub fn time_factor(factor: f64) -> Result<Self, LimitError> {
        if factor.is_finite() && factor > 0.0 {
            Ok(Self::TimeFactor(factor))
        } else {
            Err(LimitError(factor))
        }
    }

    /// The wall-clock time of a run on an instance of this size; `None` without a time limit.
    pub fn time(&self, num_jobs: usize, num_machines: usize) -> Option<Duration> {
        match *self {
            Self::TimeFactor(factor) => {
                let seconds = num_jobs as f64 * num_machines as f64 / 2.0 * factor / 1000.0;
                Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
            }
            Self::Time(time) => Some(time),
            Self::Evaluations(_) => None,
        }
    }

    /// The limits of a run on an instance of this size.
    pub fn limits<T>(&self, num_jobs: usize, num_machines: usize) -> Limits<T> {
        let evaluations = match *self {
            Self::Evaluations(evaluations) => Some(evaluations),
            _ => None,
        };
        Limits { time: self.time(num_jobs, num_machines), evaluations, ..Limits::default() }
    }

    /// How long a run takes in proportion to others: seconds where time is limited, else the size.
    pub(crate) fn weight(&self, num_jobs: usize, num_machines: usize) -> f64 {
        match self.time(num_jobs, num_machines) {
            Some(time) => time.as_secs_f64(),
            None => num_jobs as f64 * num_machines as f64,
        }
    }
}

impl fmt::Display for RunLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeFactor(factor) => write!(f, "time-factor={factor}"),
            Self::Time(time) => write!(f, "time={}s", time.as_secs_f64()),
            Self::Evaluations(evaluations) => write!(f, "evaluations={evaluations}"),
        }
    }
}

/// A text that is no limit.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("`{0}` is no limit of a run; expected time-factor=30, time=10s or evaluations=1000")]
pub struct LimitTextError(String);

impl FromStr for RunLimit {
    type Err = LimitTextError;

    /// Reads what [`RunLimit`] writes.
    fn from_str(text: &str) -> Result<Self, LimitTextError> {
        let limit = match text.split_once('=') {
            Some(("time-factor", factor)) => {
                factor.parse().ok().and_then(|factor| Self::time_factor(factor).ok())
            }
            Some(("time", time)) => {
                let seconds = time.strip_suffix('s').and_then(|time| time.parse().ok());
                seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).map(Self::Time)
            }
            Some(("evaluations", count)) => count.parse().ok().map(Self::Evaluations),
            _ => None,
        };
        limit.ok_or_else(|| LimitTextError(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_back() {
        let limits = [
            RunLimit::TimeFactor(0.25),
            RunLimit::Time(Duration::from_millis(1500)),
            RunLimit::Evaluations(7),
        ];
        for limit in limits {
            assert_eq!(limit.to_string().parse(), Ok(limit));
        }
        for bad in ["", "time", "time=1", "time=-1s", "time-factor=0", "evaluations=1.5"] {
            assert!(bad.parse::<RunLimit>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_time_factor_follows_the_size() {
        let limit = RunLimit::time_factor(30.0).unwrap();
        assert_eq!(limit.time(50, 20), Some(Duration::from_secs(15)));
        assert_eq!(limit.time(20, 5), Some(Duration::from_millis(1500)));
        assert_eq!(limit.to_string(), "time-factor=30");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(RunLimit::time_factor(bad).is_err());
        }
        assert_eq!(RunLimit::TimeFactor(1e300).time(500, 20), Some(Duration::MAX));
    }

    #[test]
    fn other_limits_do_not() {
        assert_eq!(RunLimit::Time(Duration::from_millis(2500)).to_string(), "time=2.5s");
        let limits: Limits<u32> = RunLimit::Evaluations(7).limits(500, 20);
        assert_eq!((limits.time, limits.evaluations), (None, Some(7)));
        assert_eq!(RunLimit::Evaluations(7).to_string(), "evaluations=7");
    }
}
