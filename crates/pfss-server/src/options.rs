//! The options of a job: those of `pfss solve`, with the same names.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use pfss::Settings;
use pfss_core::Parameter;
use pfss_core::timing::{Objective, UnknownObjective};
use pfss_io::{Entry, Overrides};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::config::ServerConfig;
use crate::problem::Problem;
use crate::subject::Subject;

/// What a run with a limit of evaluations holds, so that it gives the same answer on any machine.
const REPRODUCIBLE_MEMORY: usize = 1 << 30;
/// The search that keeps pinned jobs where they are.
pub(crate) const PINNED_SEARCH: &str = "pinned-search";
/// Where nobody says how long.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// How a job is to be solved.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SolveOptions {
    /// The algorithm; `auto` when absent.
    pub(crate) algorithm: Option<String>,
    /// Seconds, or a text such as `500ms`, `10s`, `2m`; 10 s without other limits.
    #[schema(value_type = Option<String>, example = "10s")]
    pub(crate) time_limit: Option<Value>,
    /// A limit of evaluations: with the same seed the same result.
    pub(crate) evaluations: Option<u64>,
    /// Evaluations without an improvement.
    pub(crate) stall: Option<u64>,
    /// Stop at this value.
    pub(crate) target: Option<f64>,
    /// The seed; drawn when absent.
    pub(crate) seed: Option<u64>,
    /// How many threads may search.
    pub(crate) threads: Option<usize>,
    /// What is minimised; several, separated by commas, the most important first.
    pub(crate) objective: Option<String>,
    /// Parameters of the algorithm: an object, or a list of `key=value`.
    #[schema(value_type = Option<Object>)]
    pub(crate) set: Option<Value>,
    /// An order to begin with: job numbers (from 0) or names.
    #[schema(value_type = Option<Vec<u32>>)]
    pub(crate) start: Option<Value>,
    /// Job numbers (from 0) whose place in `start` is kept.
    pub(crate) pinned: Vec<u32>,
}

impl SolveOptions {
    /// Puts what the options say about the instance in the place of what it says itself.
    pub(crate) fn apply(&self, entry: &mut Entry) -> Result<(), Problem> {
        let objectives = self.objective.as_deref().map(objectives).transpose()?;
        let overrides = Overrides { objectives, ..Overrides::default() };
        overrides.apply(entry).map_err(|error| Problem::of_reading(&error))
    }

    /// The options in the query of a request; `set` may stand there several times.
    pub(crate) fn from_pairs<'a>(
        pairs: impl Iterator<Item = (std::borrow::Cow<'a, str>, std::borrow::Cow<'a, str>)>,
    ) -> Result<Self, Problem> {
        let mut map = Map::new();
        for (key, text) in pairs {
            let key = key.replace('-', "_");
            let value = match key.as_str() {
                "evaluations" | "stall" | "seed" | "threads" => text.parse::<u64>().map(Value::from).ok(),
                "target" => text.parse::<f64>().map(Value::from).ok(),
                _ => None,
            };
            let value = value.unwrap_or_else(|| Value::from(text.as_ref()));
            match (map.get_mut("set"), key.as_str()) {
                (Some(Value::Array(all)), "set") => all.push(value),
                (_, "set") => drop(map.insert(key, Value::from(vec![value]))),
                _ => drop(map.insert(key, value)),
            }
        }
        serde_json::from_value(Value::Object(map)).map_err(|error| malformed(&error))
    }
}

/// Why options cannot be read.
pub(crate) fn malformed(error: &serde_json::Error) -> Problem {
    Problem::malformed(format!("the options cannot be read: {error}"))
}

/// How a job is solved: every option checked, with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) algorithm: String,
    #[serde(skip_serializing_if = "Settings::is_empty", default)]
    pub(crate) set: Settings,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) time_limit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) evaluations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) stall: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) target: Option<f64>,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) objective: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) pinned: Vec<u32>,
}

impl Plan {
    /// The plan that the options describe for this subject, within what the server allows.
    pub(crate) fn new(
        options: &SolveOptions,
        subject: &Subject,
        config: &ServerConfig,
    ) -> Result<Self, Problem> {
        let refused = |error: pfss::BuildError| Problem::malformed(error.to_string());
        let name = options.algorithm.as_deref().unwrap_or("auto");
        let (algorithm, parameters) = match subject.line() {
            Some(_) => pfss::planner::algorithm(name).map(|known| (known.name, known.parameters())),
            None => pfss::algorithm(name).map(|known| (known.name, known.parameters())),
        }
        .map_err(refused)?;
        let set = settings(algorithm, &parameters, options.set.as_ref())?;
        let threads = options.threads.unwrap_or_else(|| config.threads_per_job());
        if threads == 0 || threads > config.cores {
            let cores = config.cores;
            return Err(Problem::malformed(format!("threads is {threads}, accepted is 1 to {cores}")));
        }
        let plan = Self {
            algorithm: algorithm.to_string(),
            set,
            time_limit: Self::time_limit(options, config)?.map(|time| time.as_secs_f64()),
            evaluations: options.evaluations,
            stall: options.stall,
            target: options.target.filter(|target| target.is_finite()),
            seed: options.seed.unwrap_or_else(draw_seed),
            threads,
            objective: subject.objective(),
            pinned: options.pinned.clone(),
        };
        plan.config(subject.line().is_some()).map_err(refused)?;
        Ok(plan)
    }

    /// The time limit, which is never longer than the server allows.
    pub(crate) fn time_limit(
        options: &SolveOptions,
        config: &ServerConfig,
    ) -> Result<Option<Duration>, Problem> {
        let given = options.time_limit.as_ref().map(duration).transpose()?;
        let longest = config.max_time;
        let has_other = options.evaluations.is_some() || options.stall.is_some();
        match given {
            Some(time) if time > longest => Err(Problem::malformed(format!(
                "time_limit is {}, this server allows {}",
                humantime::format_duration(time),
                humantime::format_duration(longest)
            ))),
            Some(time) => Ok(Some(time)),
            // Also a run that ends by another limit must not keep a worker for ever.
            None if has_other => Ok(Some(longest)),
            None => Ok(Some(DEFAULT_TIME.min(longest))),
        }
    }

    /// Every parameter of the algorithm with its value.
    pub(crate) fn config(&self, is_line: bool) -> Result<Settings, pfss::BuildError> {
        match is_line {
            true => pfss::planner::algorithm(&self.algorithm)?.config(&self.set),
            false => pfss::algorithm(&self.algorithm)?.config(&self.set),
        }
    }

    /// The algorithm that solves it: with pinned jobs there is only one.
    pub(crate) fn solver_name(&self) -> &str {
        if self.pinned.is_empty() { &self.algorithm } else { PINNED_SEARCH }
    }

    /// How many bytes the search may hold.
    pub(crate) fn memory(&self, config: &ServerConfig) -> usize {
        let is_reproducible = self.evaluations.is_some() || self.stall.is_some();
        if is_reproducible { REPRODUCIBLE_MEMORY } else { config.memory_per_job() }
    }

    /// The command line that gives the same result from `instance.json`; none with pinned jobs, which it does not know.
    pub(crate) fn command(&self, start: Option<&str>) -> Option<String> {
        self.pinned.is_empty().then(|| self.plain_command(start))
    }

    fn plain_command(&self, start: Option<&str>) -> String {
        let mut command = String::from("pfss solve instance.json");
        if self.algorithm != "auto" {
            command += &format!(" -a {}", self.algorithm);
        }
        for key in self.set.keys() {
            let value = self.set.get(key).cloned().unwrap_or_default();
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            command += &format!(" --set {key}={value}");
        }
        if let Some(seconds) = self.time_limit {
            command += &format!(" -t {seconds}");
        }
        for (flag, count) in [("--evaluations", self.evaluations), ("--stall", self.stall)] {
            if let Some(count) = count {
                command += &format!(" {flag} {count}");
            }
        }
        if let Some(target) = self.target {
            command += &format!(" --target {target}");
        }
        if let Some(start) = start {
            command += &format!(" --start '{start}'");
        }
        command + &format!(" -s {} -j {}", self.seed, self.threads)
    }
}

/// The algorithm's settings: an object, or `key=value` in a list.
fn settings(algorithm: &str, parameters: &[Parameter], set: Option<&Value>) -> Result<Settings, Problem> {
    let refused = |error: pfss::AssignmentError| Problem::malformed(format!("set: {error}"));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    match set {
        None | Some(Value::Null) => Ok(Settings::new()),
        Some(Value::Object(map)) => map
            .iter()
            .map(|(key, value)| pfss::setting(algorithm, parameters, key, &text(value)).map_err(refused))
            .collect(),
        Some(Value::Array(list)) => list
            .iter()
            .map(|item| pfss::assignment(algorithm, parameters, &text(item)).map_err(refused))
            .collect(),
        Some(Value::String(one)) => {
            pfss::assignment(algorithm, parameters, one).map_err(refused).map(|one| [one].into())
        }
        Some(_) => Err(Problem::malformed("set: expected an object, or a list of `key=value`")),
    }
}

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

/// The objectives by name.
fn objectives(text: &str) -> Result<Vec<Objective>, Problem> {
    text.split(',')
        .map(|word| {
            word.trim().parse().map_err(|error: UnknownObjective| Problem::malformed(error.to_string()))
        })
        .collect()
}

/// A seed for those who gave none: short enough to type again.
fn draw_seed() -> u64 {
    RandomState::new().hash_one("seed") & u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn config() -> ServerConfig {
        ServerConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            store: "store".into(),
            workers: 2,
            max_time: Duration::from_secs(60),
            token: None,
            origins: Vec::new(),
            cores: 4,
            memory: 1 << 30,
            bounds: crate::config::Bounds::default(),
        }
    }

    fn from_query(query: &str) -> Result<Plan, Problem> {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (Cow::from(key), Cow::from(value))
        });
        let options = SolveOptions::from_pairs(pairs)?;
        let mut entry = pfss_io::csv::read("job,a,due\nx,1,2\ny,3,4\n").unwrap().pop().unwrap();
        if options.objective.is_none() {
            entry.attributes = pfss_core::timing::Attributes::default();
        }
        options.apply(&mut entry)?;
        Plan::new(&options, &Subject::new(entry)?, &config())
    }

    #[test]
    fn options_are_those_of_the_command_line() {
        let plan = from_query("").unwrap();
        assert_eq!((plan.algorithm.as_str(), plan.threads, plan.time_limit), ("auto", 2, Some(10.0)));
        let plan = from_query(
            "algorithm=iterated-greedy&set=destruction-size=4&set=tie=first&time-limit=1m&seed=7&threads=4",
        );
        let command = plan.unwrap().command(Some("1,0")).unwrap();
        let expected = "pfss solve instance.json -a iterated-greedy --set destruction-size=4 --set tie=first -t 60 --start '1,0' -s 7 -j 4";
        assert_eq!(command, expected);
        let plan = from_query("objective=total-tardiness,makespan&algorithm=neh").unwrap();
        assert_eq!((plan.objective.as_str(), plan.algorithm.as_str()), ("total-tardiness,makespan", "neh"));
    }

    #[test]
    fn what_is_wrong_is_told_with_what_would_be_accepted() {
        for (query, expected) in [
            ("algorithm=magic", "known are: auto"),
            ("time_limit=2h", "this server allows 1m"),
            ("time_limit=soon", "such as `500ms`"),
            ("threads=5", "accepted is 1 to 4"),
            ("set=tie", "KEY=VALUE"),
            ("set=guide=gap", "has no parameter `guide`"),
            ("objective=beauty", "total-tardiness"),
            ("colour=red", "unknown field `colour`"),
        ] {
            let problem = from_query(query).unwrap_err();
            assert!(problem.detail().contains(expected), "{query}: {}", problem.detail());
        }
    }
}
