//! Arguments of `pfss bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{PlanArgs, ProgressName, SourceArgs, value};

const EXAMPLES: &str = "\
Examples:
  pfss bench taillard --time-factor 30 -o runs.csv       the whole benchmark; run it again to resume
  pfss bench taillard -a auto,iterated-greedy --groups 50x20,100x20 --seeds 3
  pfss bench vrf-large --instances '*_1' --data folder   VRF instances from a folder or its .tar.xz
  pfss bench ta051 -a iterated-greedy,iterated-greedy:destruction-size=4 --evaluations 1e6
  pfss bench taillard --objective total-completion       other objectives, against tables of their own
  pfss bench taillard --buffer 0                         machines without buffers between them";

/// Arguments of `pfss bench`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    /// Sets (taillard, vrf-small, vrf-large), folders, or instances as in `pfss solve`
    #[arg(required = true, value_name = "SET")]
    pub(crate) sets: Vec<String>,
    /// The algorithms, as NAME or NAME:key=value:key=value
    #[arg(short, long, value_name = "A,B", value_delimiter = ',', default_value = "auto")]
    pub(crate) algorithms: Vec<String>,
    /// A parameter of all algorithms (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Runs per instance and algorithm, with the seeds 1 to K
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) seeds: u64,
    /// How many runs go on at the same time, with one thread each [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// The most that search may hold, all runs together: 512M, 2G [default: a quarter of the memory, at most 4G]
    #[arg(long, value_name = "SIZE", value_parser = value::memory)]
    pub(crate) memory: Option<usize>,
    /// Only instances of these sizes, as in 50x20,100x20
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) groups: Vec<String>,
    /// Only instances of these names; * stands for any text, ? for one character
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) instances: Vec<String>,
    /// How progress is told on standard error
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(crate) progress: ProgressName,
    #[command(flatten)]
    pub(crate) limit: BenchLimitArgs,
    /// Append one row per run; runs that are already there are not repeated
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,
    /// Print the summary as Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Print the summary as one JSON object (pfss.bench/1)
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

/// The limit of each run: one of three.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(crate) struct BenchLimitArgs {
    /// Time limit of jobs x (machines / 2) x RHO milliseconds, as in the literature [default: 30]
    #[arg(long, value_name = "RHO", value_parser = value::not_negative)]
    pub(crate) time_factor: Option<f64>,
    /// The same time for every instance: seconds, or 500ms, 10s, 2m
    #[arg(short, long, value_name = "TIME", value_parser = value::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// The same number of evaluations for every instance; the reproducible limit
    #[arg(long, value_name = "N", value_parser = value::count)]
    pub(crate) evaluations: Option<u64>,
}
