//! How long a job may be searched for.

use std::time::Duration;

use serde_json::Value;

use crate::config::ServerConfig;
use crate::problem::Problem;

/// Where nobody says how long.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// A length of time: seconds, or a text with a unit.
pub(crate) fn duration(value: &Value) -> Result<Duration, Problem> {
    let accepted =
        "time_limit: expected seconds such as `2.5`, or a time with a unit such as `500ms`, `10s`, `2m`";
    let seconds = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(seconds) => Some(seconds),
            Err(_) => return humantime::parse_duration(text).map_err(|_| Problem::malformed(accepted)),
        },
        _ => None,
    };
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| Problem::malformed(accepted))
}

/// The time limit of the literature: jobs x (machines / 2) x factor milliseconds.
pub(crate) fn by_factor(factor: f64, operations: usize) -> Result<Duration, Problem> {
    Duration::try_from_secs_f64(operations as f64 / 2.0 * factor / 1000.0)
        .map_err(|_| Problem::malformed("time_factor: expected a number that is not negative"))
}

/// The time limit, which is never longer than the server allows.
pub(crate) fn within(
    given: Option<Duration>,
    has_other: bool,
    config: &ServerConfig,
) -> Result<Duration, Problem> {
    let longest = config.max_time;
    match given {
        Some(time) if time > longest => Err(Problem::malformed(format!(
            "time_limit is {}, this server allows {}",
            humantime::format_duration(time),
            humantime::format_duration(longest)
        ))),
        Some(time) => Ok(time),
        // Also a run that ends by another limit must not keep a worker for ever.
        None if has_other => Ok(longest),
        None => Ok(DEFAULT_TIME.min(longest)),
    }
}
