//! Arguments of `pfss generate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pfss_core::generate::{Correlated, CorrelatedBy, Distribution, DueDates, Parameter, Planning, Setups};
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
        ("distribution", "uniform"), ("distribution", "gamma"), ("distribution", "normal"), ("distribution", "lognormal"),
        ("distribution", "job-correlated"), ("distribution", "machine-correlated"), ("distribution", "mixed-correlated"),
        ("distribution", "taillard"),
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
    #[command(flatten)]
    pub(crate) planning: PlanningArgs,
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

/// What jobs and machines carry beyond times.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PlanningArgs {
    /// Due dates, uniform around P (1 - TIGHTNESS) in a stretch of P RANGE, where P is a lower bound on the makespan
    #[arg(long, value_name = "TIGHTNESS,RANGE", value_parser = value::due_dates, allow_hyphen_values = true)]
    pub(crate) due: Option<DueDates>,
    /// Release dates, uniform from 0 to this share of a lower bound on the makespan
    #[arg(long, value_name = "SHARE", value_parser = value::not_negative)]
    pub(crate) release: Option<f64>,
    /// Set-ups between FAMILIES, uniform from 1 to PERCENT of the greatest time, on every machine
    #[arg(long, value_name = "FAMILIES,PERCENT", value_parser = value::setups)]
    pub(crate) setup: Option<Setups>,
}

impl PlanningArgs {
    /// What is drawn.
    pub(crate) fn planning(self) -> Planning {
        Planning { due: self.due, release: self.release, setups: self.setup }
    }

    /// Every flag and whether it was given.
    #[cfg(feature = "tsp")]
    pub(crate) fn given(self) -> [(&'static str, bool); 3] {
        [
            ("--due", self.due.is_some()),
            ("--release", self.release.is_some()),
            ("--setup", self.setup.is_some()),
        ]
    }
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
    /// normal, lognormal: the mean [default: 6; lognormal: 1]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) mean: Option<f64>,
    /// normal, lognormal: the standard deviation [default: 6; lognormal: 1]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) std: Option<f64>,
    /// uniform and the correlated ones: the least time [default: 1]
    #[arg(long, value_name = "VALUE")]
    pub(crate) low: Option<u32>,
    /// uniform and the correlated ones: the greatest time [default: 99]
    #[arg(long, value_name = "VALUE")]
    pub(crate) high: Option<u32>,
    /// The correlated ones: the share of the range from --low to --high that the middles of jobs or machines lie in [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) alpha: Option<f64>,
    /// The correlated ones: the times of a job or machine are at most so far from its middle [default: 5]
    #[arg(long, value_name = "VALUE")]
    pub(crate) half_width: Option<u32>,
    /// mixed-correlated: how far a time may be from what its job's rank says [default: 0]
    #[arg(long, value_name = "VALUE")]
    pub(crate) noise: Option<u32>,
    /// Jobs skip machines: each time is 0 with this probability, whatever the others are drawn from [default: 0]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) zeros: Option<f64>,
}

impl DistributionArgs {
    /// The parameters of distributions, with their flags and what was given.
    pub(crate) fn values(&self) -> [(Parameter, &'static str, Option<f64>); 9] {
        [
            (Parameter::Shape, "--shape", self.shape),
            (Parameter::Scale, "--scale", self.scale),
            (Parameter::Mean, "--mean", self.mean),
            (Parameter::Std, "--std", self.std),
            (Parameter::Low, "--low", self.low.map(f64::from)),
            (Parameter::High, "--high", self.high.map(f64::from)),
            (Parameter::Alpha, "--alpha", self.alpha),
            (Parameter::HalfWidth, "--half-width", self.half_width.map(f64::from)),
            (Parameter::Noise, "--noise", self.noise.map(f64::from)),
        ]
    }

    /// Whether any of them was given.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(crate) fn is_any(&self) -> bool {
        self.zeros.is_some() || self.values().iter().any(|(_, _, value)| value.is_some())
    }

    /// Every flag and whether it was given.
    #[cfg(feature = "tsp")]
    pub(crate) fn given(&self) -> Vec<(&'static str, bool)> {
        let mut given: Vec<_> =
            self.values().into_iter().map(|(_, flag, value)| (flag, value.is_some())).collect();
        given.push(("--zeros", self.zeros.is_some()));
        given
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
    /// Log-normally distributed reals: most short, few very long
    Lognormal,
    /// Whole numbers; a job takes about as long on all machines
    JobCorrelated,
    /// Whole numbers; all jobs take about as long on a machine
    MachineCorrelated,
    /// Whole numbers; as machine-correlated, and a job that is long on one machine is long on all
    MixedCorrelated,
    /// Whole numbers from 1 to 99 by Taillard's own generator
    Taillard,
}

impl DistributionName {
    /// The distribution, with its defaults.
    pub(crate) fn distribution(self) -> Distribution {
        let correlated = |by| Distribution::Correlated(Correlated::new(by));
        match self {
            Self::Uniform => Distribution::uniform(),
            Self::Gamma => Distribution::gamma(),
            Self::Normal => Distribution::normal(),
            Self::Lognormal => Distribution::lognormal(),
            Self::JobCorrelated => correlated(CorrelatedBy::Job),
            Self::MachineCorrelated => correlated(CorrelatedBy::Machine),
            Self::MixedCorrelated => correlated(CorrelatedBy::Both),
            Self::Taillard => Distribution::Taillard,
        }
    }
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
    /// Log-normally distributed reals: most short, few very long
    Lognormal,
    /// Whole numbers; a job takes about as long on all machines
    JobCorrelated,
    /// Whole numbers; all jobs take about as long on a machine
    MachineCorrelated,
    /// Whole numbers; as machine-correlated, and a job that is long on one machine is long on all
    MixedCorrelated,
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
            Self::Lognormal => Some(DistributionName::Lognormal),
            Self::JobCorrelated => Some(DistributionName::JobCorrelated),
            Self::MachineCorrelated => Some(DistributionName::MachineCorrelated),
            Self::MixedCorrelated => Some(DistributionName::MixedCorrelated),
            Self::Taillard => Some(DistributionName::Taillard),
            #[cfg(feature = "tsp")]
            Self::Tsp => None,
        }
    }
}
