//! Instances that are drawn for training and measuring.

use pfss_core::generate::{Distribution, Generated};
use pfss_core::{Instance, Seed};
use pfss_neural::ProblemInstance;
#[cfg(feature = "tsp")]
use pfss_tsp::TspInstance;
use serde_json::{Value, json};

use crate::args::{DistributionArgs, DistributionName, ProblemName, SampleArgs};
use crate::commands::generate::distribution_with;
#[cfg(feature = "tsp")]
use crate::commands::unused::refuse;

/// Machines of flow shops where none are asked for, as in the paper.
const MACHINES: usize = 5;
/// Jobs or cities where no number is asked for.
const JOBS: usize = 20;

/// Instances of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::commands) enum Sample {
    /// Jobs and machines with times of a distribution.
    FlowShop { distribution: Distribution, jobs: usize, machines: usize },
    /// Cities of the unit square.
    #[cfg(feature = "tsp")]
    Tsp { cities: usize },
}

impl Sample {
    /// What the arguments ask for; what does not belong to the problem is refused.
    pub(in crate::commands) fn new(
        problem: ProblemName,
        jobs: usize,
        machines: Option<usize>,
        name: Option<DistributionName>,
        parameters: &DistributionArgs,
    ) -> anyhow::Result<Self> {
        match problem {
            ProblemName::FlowShop => {
                let distribution = distribution_with(name.unwrap_or(DistributionName::Gamma), parameters)?;
                distribution.validate()?;
                Ok(Self::FlowShop { distribution, jobs, machines: machines.unwrap_or(MACHINES) })
            }
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => {
                let given = [("--machines", machines.is_some()), ("--distribution", name.is_some())];
                let given = [&given[..], &parameters.given()].concat();
                refuse(&given, "cities are drawn from the unit square; it belongs to flow shops")?;
                Ok(Self::Tsp { cities: jobs })
            }
        }
    }

    /// What the arguments of a training ask for.
    pub(super) fn of(args: &SampleArgs) -> anyhow::Result<Self> {
        Self::new(args.problem, args.jobs.unwrap_or(JOBS), args.machines, args.distribution, &args.parameters)
    }

    /// The problem.
    pub(super) fn problem(self) -> ProblemName {
        match self {
            Self::FlowShop { .. } => ProblemName::FlowShop,
            #[cfg(feature = "tsp")]
            Self::Tsp { .. } => ProblemName::Tsp,
        }
    }

    /// The same kind of instances in another size.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn resized(self, size: usize, width: usize) -> Self {
        match self {
            Self::FlowShop { distribution, .. } => {
                Self::FlowShop { distribution, jobs: size, machines: width }
            }
            #[cfg(feature = "tsp")]
            Self::Tsp { .. } => Self::Tsp { cities: size },
        }
    }

    /// Instance `index` of a seed, with real times.
    pub(in crate::commands) fn draw(self, seed: Seed, index: u64) -> anyhow::Result<ProblemInstance> {
        Ok(match self {
            #[cfg(feature = "tsp")]
            Self::Tsp { cities } => TspInstance::uniform(cities, seed, index)?.into(),
            Self::FlowShop { distribution, jobs, machines } => {
                match distribution.nth(jobs, machines, seed, index)? {
                    Generated::Real(instance) => instance.into(),
                    Generated::Integer(instance) => {
                        let times = instance.times().iter().map(|&time| f64::from(time)).collect();
                        Instance::new(instance.name(), machines, times)?.into()
                    }
                }
            }
        })
    }

    /// A name for tables.
    pub(in crate::commands) fn name(self) -> String {
        match self {
            #[cfg(feature = "tsp")]
            Self::Tsp { cities } => format!("unit square {cities}"),
            Self::FlowShop { distribution, jobs, machines } => {
                format!("{} {jobs}x{machines}", distribution.as_str())
            }
        }
    }

    /// What would draw the same.
    pub(super) fn record(self) -> Value {
        match self {
            #[cfg(feature = "tsp")]
            Self::Tsp { cities } => json!({
                "problem": "tsp",
                "distribution": "unit-square",
                "num_jobs": cities,
                "num_machines": 2,
            }),
            Self::FlowShop { distribution, jobs, machines } => json!({
                "distribution": distribution.as_str(),
                "parameters": format!("{distribution:?}"),
                "num_jobs": jobs,
                "num_machines": machines,
            }),
        }
    }
}
