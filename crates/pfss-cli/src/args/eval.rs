//! Arguments of `pfss eval`.

use std::path::PathBuf;

use clap::Args;

use super::{DistributionArgs, DistributionName, ProblemName, SourceArgs, value};

/// Arguments of `pfss eval`.
#[derive(Args, Debug)]
pub(crate) struct EvalArgs {
    /// Instances as in `pfss solve`, or labelled sets of `pfss train label`, whose labels are a baseline then; drawn ones when absent
    #[arg(
        value_name = "INSTANCE",
        conflicts_with_all = ["problem", "distribution", "jobs", "machines", "count", "shape", "scale", "mean", "std", "low", "high", "alpha", "half_width", "noise", "zeros"]
    )]
    pub(crate) instances: Vec<String>,
    /// A policy: a model file, the folder of a training, or the name of a built-in model (repeatable)
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Vec<String>,
    /// Heuristics that are measured too; gaps are given to each of them [default: paper-neh,neh; tsp: branch-and-bound]
    #[arg(short, long, value_name = "NAME,...", value_delimiter = ',', value_parser = value::algorithm(), hide_possible_values = true)]
    pub(crate) baselines: Vec<String>,
    /// The problem of drawn instances; cities are drawn from the unit square
    #[arg(long, default_value = "flow-shop", value_parser = value::with_tours::<ProblemName>(), help_heading = "Drawn instances")]
    pub(crate) problem: ProblemName,
    /// What the processing times are drawn from [default: gamma]
    #[arg(long, help_heading = "Drawn instances")]
    pub(crate) distribution: Option<DistributionName>,
    /// The numbers of jobs, one table row group for each
    #[arg(
        short = 'n',
        long,
        value_name = "N,...",
        value_delimiter = ',',
        default_value = "20",
        help_heading = "Drawn instances"
    )]
    pub(crate) jobs: Vec<usize>,
    /// The number of machines [default: 5]
    #[arg(short = 'm', long, value_name = "M", help_heading = "Drawn instances")]
    pub(crate) machines: Option<usize>,
    /// How many instances of each size
    #[arg(long, value_name = "K", default_value_t = 1_000, help_heading = "Drawn instances")]
    pub(crate) count: usize,
    #[command(flatten, next_help_heading = "Drawn instances")]
    pub(crate) parameters: DistributionArgs,
    /// How policies build orders: greedy, sample:K, sample:K:TEMPERATURE, or beam:WIDTH, each also with +reverse (repeatable by commas) [default: greedy]
    #[arg(long, value_name = "HOW,...", value_delimiter = ',', requires = "model")]
    pub(crate) decoding: Vec<String>,
    /// So many of the last jobs, and never more than half, are ordered by search instead of by a bidirectional policy [default: 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=16), requires = "model")]
    pub(crate) finish: Option<u8>,
    /// How many evaluations a heuristic that searches may spend on an instance [default: 200000]
    #[arg(long, value_name = "N", value_parser = value::count)]
    pub(crate) evaluations: Option<u64>,
    /// The seed of drawn instances and of all random choices; drawn and reported when absent
    #[arg(short, long)]
    pub(crate) seed: Option<u64>,
    /// How many threads may be used [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object per row (JSON Lines)
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print a Markdown table
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Write the table as CSV
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

impl EvalArgs {
    /// How many evaluations a heuristic that searches may spend on an instance.
    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations.unwrap_or(200_000)
    }

    /// How policies build orders.
    pub(crate) fn decodings(&self) -> Vec<String> {
        if self.decoding.is_empty() { vec!["greedy".to_string()] } else { self.decoding.clone() }
    }
}
