//! Arguments of `pfss generate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pfss_io::Format;

use super::value;

/// Arguments of `pfss generate`.
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What the processing times are drawn from, or `tsp` for cities
    #[arg(value_parser = value::with_tours::<GeneratorName>())]
    pub(crate) distribution: GeneratorName,
    /// The number of jobs, or of cities
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) jobs: usize,
    /// The number of machines
    #[arg(short = 'm', long, value_name = "M", required_if_eq_any = [
        ("distribution", "uniform"), ("distribution", "gamma"), ("distribution", "normal"), ("distribution", "taillard"),
    ])]
    pub(crate) machines: Option<usize>,
    /// How many instances
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) count: usize,
    /// The seed; drawn and reported when absent
    #[arg(short, long)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) parameters: DistributionArgs,
    /// taillard: the seeds of Taillard's own generator, one per instance (as published, 1 to 2147483646)
    #[arg(long, value_name = "SEED,...", value_delimiter = ',', conflicts_with_all = ["seed", "count"],
          value_parser = clap::value_parser!(u32).range(1..=2_147_483_646))]
    pub(crate) taillard_seed: Vec<u32>,
    /// The format to write; taken from the ending of the output where it is .csv or .json [default: json]
    #[arg(long, value_name = "FORMAT", value_parser = value::format())]
    pub(crate) to: Option<Format>,
    /// The file to write, or a folder (`DIR/`) for one file per instance; standard output when absent
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Parameters of distributions.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct DistributionArgs {
    /// gamma: the shape [default: 0.5]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) shape: Option<f64>,
    /// gamma: the scale [default: 2]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
    /// normal: the mean [default: 6]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) mean: Option<f64>,
    /// normal: the standard deviation [default: 6]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) std: Option<f64>,
    /// uniform: the least time [default: 1]
    #[arg(long, value_name = "VALUE")]
    pub(crate) low: Option<u32>,
    /// uniform: the greatest time [default: 99]
    #[arg(long, value_name = "VALUE")]
    pub(crate) high: Option<u32>,
}

impl DistributionArgs {
    /// Every parameter and whether it was given.
    #[cfg(feature = "tsp")]
    pub(crate) fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--shape", self.shape.is_some()),
            ("--scale", self.scale.is_some()),
            ("--mean", self.mean.is_some()),
            ("--std", self.std.is_some()),
            ("--low", self.low.is_some()),
            ("--high", self.high.is_some()),
        ]
    }
}

/// What processing times are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DistributionName {
    /// Whole numbers from --low to --high, all equally likely
    Uniform,
    /// Gamma-distributed reals
    Gamma,
    /// Normally distributed reals, negative draws set to 0
    Normal,
    /// Whole numbers from 1 to 99 by Taillard's own generator
    Taillard,
}

/// What can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GeneratorName {
    /// Whole numbers from --low to --high, all equally likely
    Uniform,
    /// Gamma-distributed reals
    Gamma,
    /// Normally distributed reals, negative draws set to 0
    Normal,
    /// Whole numbers from 1 to 99 by Taillard's own generator
    Taillard,
    /// Cities in the unit square, all places equally likely (written as pfss.tsp/1)
    #[cfg(feature = "tsp")]
    Tsp,
}

impl GeneratorName {
    /// The distribution of processing times; `None` for cities.
    pub(crate) fn distribution(self) -> Option<DistributionName> {
        match self {
            Self::Uniform => Some(DistributionName::Uniform),
            Self::Gamma => Some(DistributionName::Gamma),
            Self::Normal => Some(DistributionName::Normal),
            Self::Taillard => Some(DistributionName::Taillard),
            #[cfg(feature = "tsp")]
            Self::Tsp => None,
        }
    }
}
