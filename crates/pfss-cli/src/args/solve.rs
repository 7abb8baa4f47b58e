//! Arguments of `pfss solve`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use pfss_core::{Parameter, ParameterKind};

use super::{PlanArgs, ProblemName, ProgressName, SourceArgs, value};

/// Arguments of `pfss solve`.
#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Files, `-`, or names (ta001 to ta120, VFR100_20_1); FILE#2 or FILE#NAME picks one of several
    #[arg(required = true, value_name = "INSTANCE")]
    pub(crate) instances: Vec<String>,
    /// What the instances are
    #[arg(long, value_name = "PROBLEM", default_value = "flow-shop", value_parser = value::with_tours::<ProblemName>())]
    pub(crate) problem: ProblemName,
    /// The algorithm; `pfss algorithms` lists them
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = value::algorithm(), hide_possible_values = true)]
    pub(crate) algorithm: String,
    /// A parameter of the algorithm (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// policy, or beam with guide=policy: a model file, the folder of a training, or the name of a built-in model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Parameters in a TOML or JSON file, plain or in one table per algorithm
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The seed of all random choices; drawn and reported when absent
    #[arg(short, long)]
    pub(crate) seed: Option<u64>,
    /// How many threads may be used [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// The most that search may hold, all threads together: 512M, 2G [default: a quarter of the memory, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<usize>,
    /// A known order to start from (file, `-`, or a list such as 2,0,1); the answer is never worse
    #[arg(long, value_name = "ORDER")]
    pub(crate) start: Option<String>,
    /// Job numbers in --start count from 1
    #[arg(long, requires = "start")]
    pub(crate) one_based: bool,
    /// branch-and-bound: keep what is still to be searched in this folder, and go on from there
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How often that is written [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = value::duration, requires = "checkpoint")]
    pub(crate) checkpoint_every: Option<Duration>,
    /// How progress is told on standard error
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) progress: ProgressName,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) outputs: OutputArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

impl SolveArgs {
    /// All parameters of the algorithm that are set here: the model is one of them.
    pub(crate) fn assignments(&self) -> Vec<String> {
        let model = self.model.iter().map(|model| format!("model={model}"));
        self.settings.iter().cloned().chain(model).collect()
    }

    /// Fails where a model is given to an algorithm with these parameters, which takes none.
    pub(crate) fn check_model(&self, parameters: &[Parameter]) -> anyhow::Result<()> {
        // The mixed-integer solver has models too, of another kind.
        let takes_one = parameters
            .iter()
            .any(|parameter| parameter.name == "model" && parameter.kind == ParameterKind::File);
        if self.model.is_some() && !takes_one {
            bail!("--model is not used by {}; `-a policy` takes a model", self.algorithm);
        }
        Ok(())
    }
}

/// When a run stops; whichever comes first.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits (whichever comes first)")]
pub(crate) struct LimitArgs {
    /// Wall-clock time, reading included: seconds, or 500ms, 10s, 2m [default: 10s without other limits]
    #[arg(short, long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Time limit of jobs x (machines / 2) x RHO milliseconds, as in the literature
    #[arg(long, value_name = "RHO", value_parser = value::not_negative, conflicts_with = "time_limit")]
    pub(crate) time_factor: Option<f64>,
    /// Time limit of 1 s, 10 s or 60 s
    #[arg(long, conflicts_with_all = ["time_limit", "time_factor"])]
    pub(crate) preset: Option<Preset>,
    /// Evaluations; with the same seed the same result on any machine and any number of threads
    #[arg(long, value_name = "N", value_parser = value::count)]
    pub(crate) evaluations: Option<u64>,
    /// Evaluations without an improvement
    #[arg(long, value_name = "N", value_parser = value::count)]
    pub(crate) stall: Option<u64>,
    /// Stop at this makespan, or value of the first objective; exit code 1 when it is not reached
    #[arg(long, value_name = "VALUE", value_parser = value::finite, allow_negative_numbers = true)]
    pub(crate) target: Option<f64>,
}

/// A time limit by purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// One second
    Fast,
    /// Ten seconds
    Balanced,
    /// One minute
    Thorough,
}

impl Preset {
    fn time(self) -> Duration {
        Duration::from_secs(match self {
            Self::Fast => 1,
            Self::Balanced => 10,
            Self::Thorough => 60,
        })
    }
}

/// What is printed and written.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output ({name} in a path stands for the instance's name)")]
pub(crate) struct OutputArgs {
    /// Print one JSON object per instance (pfss.result/1, JSON Lines)
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the JSON result, again at each improvement
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the schedule, as .svg or .html
    #[arg(long, value_name = "FILE")]
    pub(crate) gantt: Option<PathBuf>,
    /// Write each improvement and each better bound as it is found: time, evaluations, makespan, bound (CSV)
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) trace: Option<PathBuf>,
    /// Write start and end of every operation, as .csv, .json or .xlsx; `-` prints CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Option<PathBuf>,
}

impl LimitArgs {
    /// The time limit for an instance of this size.
    pub(crate) fn time(&self, num_jobs: usize, num_machines: usize) -> Option<Duration> {
        const DEFAULT: Duration = Duration::from_secs(10);
        // Ten years: nobody waits longer, and no sum of times overflows.
        const LONGEST: Duration = Duration::from_secs(315_360_000);
        let by_factor = self.time_factor.map(|factor| {
            let milliseconds = num_jobs as f64 * (num_machines as f64 / 2.0) * factor;
            Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(LONGEST)
        });
        let given = self.time_limit.or(by_factor).or(self.preset.map(Preset::time));
        let given = given.map(|time| time.min(LONGEST));
        let has_other = self.evaluations.is_some() || self.stall.is_some();
        given.or((!has_other).then_some(DEFAULT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_seconds_are_the_default_only_without_other_limits() {
        let none = LimitArgs::default();
        assert_eq!(none.time(20, 5), Some(Duration::from_secs(10)));
        let target = LimitArgs { target: Some(5.0), ..none.clone() };
        assert_eq!(target.time(20, 5), Some(Duration::from_secs(10)));
        let evaluations = LimitArgs { evaluations: Some(5), ..none.clone() };
        assert_eq!(evaluations.time(20, 5), None);
        let preset = LimitArgs { preset: Some(Preset::Fast), evaluations: Some(5), ..none.clone() };
        assert_eq!(preset.time(20, 5), Some(Duration::from_secs(1)));
        let factor = LimitArgs { time_factor: Some(60.0), ..none };
        assert_eq!(factor.time(50, 20), Some(Duration::from_secs(30)));
        let huge = LimitArgs { time_factor: Some(1e300), ..LimitArgs::default() };
        assert_eq!(huge.time(50, 20), Some(Duration::from_secs(315_360_000)));
    }
}
