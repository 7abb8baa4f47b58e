//! Instances that are drawn for training and measuring.

use pfss_core::generate::{Generated, Recipe};
use pfss_core::{Instance, Seed};
use pfss_neural::ProblemInstance;
#[cfg(feature = "tsp")]
use pfss_tsp::TspInstance;
use serde_json::{Value, json};

use crate::args::{DistributionArgs, DistributionName, ProblemName, SampleArgs};
use crate::commands::generate::recipe_with;
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
    FlowShop { recipe: Recipe, jobs: usize, machines: usize },
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
                let recipe = recipe_with(name.unwrap_or(DistributionName::Gamma), parameters)?;
                Ok(Self::FlowShop { recipe, jobs, machines: machines.unwrap_or(MACHINES) })
            }
            #[cfg(feature = "tsp")]
            ProblemName::Tsp => {
                let given = [("--machines", machines.is_some()), ("--distribution", name.is_some())];
                let given = [&given[..], &parameters.given()[..]].concat();
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
            Self::FlowShop { recipe, .. } => Self::FlowShop { recipe, jobs: size, machines: width },
            #[cfg(feature = "tsp")]
            Self::Tsp { .. } => Self::Tsp { cities: size },
        }
    }

    /// Instance `index` of a seed, with real times.
    pub(in crate::commands) fn draw(self, seed: Seed, index: u64) -> anyhow::Result<ProblemInstance> {
        Ok(match self {
            #[cfg(feature = "tsp")]
            Self::Tsp { cities } => TspInstance::uniform(cities, seed, index)?.into(),
            Self::FlowShop { recipe, jobs, machines } => match recipe.nth(jobs, machines, seed, index)? {
                Generated::Real(instance) => instance.into(),
                Generated::Integer(instance) => {
                    let times = instance.times().iter().map(|&time| f64::from(time)).collect();
                    Instance::new(instance.name(), machines, times)?.into()
                }
            },
        })
    }

    /// A name for tables.
    pub(in crate::commands) fn name(self) -> String {
        match self {
            #[cfg(feature = "tsp")]
            Self::Tsp { cities } => format!("unit square {cities}"),
            Self::FlowShop { recipe, jobs, machines } => format!("{recipe} {jobs}x{machines}"),
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
            Self::FlowShop { recipe: Recipe { distribution, zeros }, jobs, machines } => {
                let mut record = json!({
                    "distribution": distribution.as_str(),
                    "parameters": format!("{distribution:?}"),
                    "num_jobs": jobs,
                    "num_machines": machines,
                });
                if zeros > 0.0 {
                    record["zeros"] = zeros.into();
                }
                record
            }
        }
    }
}
