//! How a job is solved: every option checked, with its value.

use std::hash::{BuildHasher, RandomState};

use pfss::Settings;
use pfss_core::{Parameter, ParameterKind};
use pfss_io::Clock;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::ServerConfig;
use crate::input::Assignment;
use crate::limits::{by_factor, duration, within};
use crate::options::{SolveOptions, clock};
use crate::problem::{Problem, internal};

use crate::subject::Subject;

/// What a run with a limit of evaluations holds, so that it gives the same answer on any machine.
const REPRODUCIBLE_MEMORY: usize = 1 << 30;
/// The search that keeps pinned jobs where they are.
pub(crate) const PINNED_SEARCH: &str = "pinned-search";

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
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) start_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) unit: Option<String>,
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
            Some(line) => {
                pfss::planner::algorithm_of(line, name).map(|known| (known.name, known.parameters()))
            }
            None => pfss::algorithm(name).map(|known| (known.name, known.parameters())),
        }
        .map_err(refused)?;
        let set = settings(algorithm, &parameters, &options.set)?;
        check_files(&parameters, &set)?;
        let threads = options.threads.unwrap_or_else(|| config.threads_per_job());
        if threads == 0 || threads > config.cores {
            let cores = config.cores;
            return Err(Problem::malformed(format!("threads is {threads}, accepted is 1 to {cores}")));
        }
        let given = match (options.time_limit.as_ref(), options.time_factor) {
            (Some(_), Some(_)) => {
                return Err(Problem::malformed("give time_limit or time_factor, not both"));
            }
            (Some(time), None) => Some(duration(time)?),
            (None, Some(factor)) => Some(by_factor(factor, subject.size())?),
            (None, None) => None,
        };
        let clock = options.clock()?;
        let has_other = options.evaluations.is_some() || options.stall.is_some();
        let limit = within(given, has_other, config)?;
        let plan = Self {
            algorithm: algorithm.to_string(),
            set,
            time_limit: Some(limit.as_secs_f64()),
            evaluations: options.evaluations,
            stall: options.stall,
            target: options.target,
            seed: options.seed.unwrap_or_else(draw_seed),
            threads,
            objective: subject.objective(),
            start_at: clock.map(|clock| clock.date(0.0)),
            unit: clock.map(|clock| clock.unit().to_string()),
            pinned: options.pinned.clone(),
        };
        plan.config(subject).map_err(refused)?;
        Ok(plan)
    }

    /// The plan as the store keeps it.
    pub(crate) fn to_json(&self) -> Result<String, Problem> {
        serde_json::to_string(self).map_err(|error| internal(&error))
    }

    /// Every parameter of the algorithm with its value.
    pub(crate) fn config(&self, subject: &Subject) -> Result<Settings, pfss::BuildError> {
        match subject.line() {
            Some(line) => pfss::planner::algorithm_of(line, &self.algorithm)?.config(&self.set),
            None => pfss::algorithm(&self.algorithm)?.config(&self.set),
        }
    }

    /// The algorithm that solves it: with pinned jobs there is only one.
    pub(crate) fn solver_name(&self) -> &str {
        if self.pinned.is_empty() { &self.algorithm } else { PINNED_SEARCH }
    }

    /// When time zero is, where that was said.
    pub(crate) fn clock(&self) -> Option<Clock> {
        clock(self.start_at.as_deref(), self.unit.as_deref()).ok().flatten()
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
        if let (Some(start), Some(unit)) = (&self.start_at, &self.unit) {
            command += &format!(" --start-at {start} --unit {unit}");
        }
        if let Some(start) = start {
            command += &format!(" --start '{start}'");
        }
        command + &format!(" -s {} -j {}", self.seed, self.threads)
    }
}

/// The algorithm's settings, each at most once.
fn settings(algorithm: &str, parameters: &[Parameter], given: &[Assignment]) -> Result<Settings, Problem> {
    let mut settings = Settings::new();
    for one in given {
        let setting = match one {
            Assignment::Pair(key, value) => pfss::setting(algorithm, parameters, key, value),
            Assignment::Text(text) => pfss::assignment(algorithm, parameters, text),
        };
        let (key, value) = setting.map_err(|error| Problem::malformed(format!("set: {error}")))?;
        if settings.get(&key).is_some() {
            return Err(Problem::malformed(format!("set: `{key}` stands there twice")));
        }
        settings.set(key, value);
    }
    Ok(settings)
}

/// Refuses tables and models in files: no file of this machine is read by request.
fn check_files(parameters: &[Parameter], set: &Settings) -> Result<(), Problem> {
    let known = pfss::BUILT_IN_MODELS;
    for Parameter { name, .. } in parameters.iter().filter(|one| one.kind == ParameterKind::File) {
        let file = set.get(name).and_then(Value::as_str).unwrap_or_default();
        let refusal = match name == "model" {
            _ if file.is_empty() => continue,
            true if known.contains(&file) => continue,
            true => format!("set: there is no model `{file}` here; known are {}", known.join(", ")),
            false => format!("set: `{name}` names a file, and none is read here"),
        };
        return Err(Problem::malformed(refusal));
    }
    Ok(())
}

/// A seed for those who gave none: short enough to type again.
fn draw_seed() -> u64 {
    RandomState::new().hash_one("seed") & u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;
    use std::time::Duration;

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
        let mut entry = pfss_io::csv::read("job,a,b,due\nx,1,1,2\ny,3,1,4\n").unwrap().pop().unwrap();
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
        let plan = from_query("time-factor=60&algorithm=policy&set=model=front").unwrap();
        assert_eq!(plan.time_limit, Some(0.12));
        let plan = from_query("start-at=2026-11-16T06:00&unit=min&no-wait=true&seed=1&threads=1").unwrap();
        let expected = "pfss solve instance.json -t 10 --start-at 2026-11-16T06:00 --unit min -s 1 -j 1";
        assert_eq!(plan.command(None).unwrap(), expected);
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
            ("time_factor=-1", "not negative"),
            ("time_factor=1&time_limit=1", "not both"),
            ("no_wait=true&buffer=0", "contradict"),
            ("no_wait=perhaps", "no_wait: found `perhaps`, expected true or false"),
            ("buffer=many", "buffer: found `many`, expected a whole number from 0"),
            ("target=nan", "target: found `nan`, expected a number"),
            ("seed=1&seed=2", "`seed` stands in the query twice"),
            ("time-limit=1&time_limit=1", "`time_limit` stands in the query twice"),
            ("algorithm=neh&set=tie=first&set=tie=first", "set: `tie` stands there twice"),
            ("first=nobody", "nobody"),
            ("start_at=2026-11-16T06:00", "start_at needs unit"),
            ("unit=min", "unit needs start_at"),
            ("start_at=today&unit=min", "no date"),
            ("start_at=2026-11-16&unit=year", "known are s, min, h and d"),
            ("setup=machine,from,to", "time"),
            // No file of this machine is read by request.
            (
                "algorithm=policy&set=model=/etc/passwd",
                "there is no model `/etc/passwd` here; known are front",
            ),
            ("algorithm=beam&set=guide=policy&set=model=../x", "there is no model"),
            ("algorithm=auto&set=plans=/etc/passwd", "`plans` names a file"),
            ("algorithm=beam&set=guide=fitted&set=weighings=/etc/passwd", "`weighings` names a file"),
        ] {
            let problem = from_query(query).unwrap_err();
            assert!(problem.detail().contains(expected), "{query}: {}", problem.detail());
        }
    }
}
