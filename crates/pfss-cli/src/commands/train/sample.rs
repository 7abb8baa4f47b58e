//! Instances that are drawn for training and measuring.

use pfss_core::generate::{Distribution, Generated, Parameter, Recipe};
use pfss_core::{Instance, Seed};
use pfss_neural::ProblemInstance;
#[cfg(feature = "tsp")]
use pfss_tsp::TspInstance;
use serde_json::{Map, Value, json};

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

    /// The numbers of jobs and machines, or of what another problem has in their place.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn size(self) -> (usize, usize) {
        match self {
            Self::FlowShop { jobs, machines, .. } => (jobs, machines),
            #[cfg(feature = "tsp")]
            Self::Tsp { cities } => (cities, 2),
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
                let value = |parameter: Parameter| {
                    Some((parameter.as_str().to_string(), distribution.get(parameter)?.into()))
                };
                let parameters: Map<String, Value> = Parameter::ALL.into_iter().filter_map(value).collect();
                let mut record = json!({
                    "distribution": distribution.as_str(),
                    "parameters": parameters,
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

    /// What tells it from others in checkpoints, in the words of all versions: who changes them ends trainings.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn words(self) -> Value {
        let mut record = self.record();
        #[cfg_attr(not(feature = "tsp"), allow(irrefutable_let_patterns))]
        if let Self::FlowShop { recipe, .. } = self {
            record["parameters"] = format!("{:?}", recipe.distribution).into();
        }
        record
    }

    /// What a record says that its instances were drawn from; `None` where it does not.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn recorded(record: &Map<String, Value>) -> Option<Self> {
        let count = |name: &str| record.get(name)?.as_u64().map(|count| count as usize);
        let jobs = count("num_jobs")?;
        #[cfg(feature = "tsp")]
        if record.get("problem").is_some_and(|problem| problem == "tsp") {
            return Some(Self::Tsp { cities: jobs });
        }
        let mut distribution = Distribution::named(record.get("distribution")?.as_str()?)?;
        for (name, value) in parameters(record.get("parameters")?)? {
            distribution = distribution.with(Parameter::named(&name)?, value.as_f64()?).ok()?;
        }
        let zeros = record.get("zeros").map_or(Some(0.0), Value::as_f64)?;
        Some(Self::FlowShop {
            recipe: Recipe { distribution, zeros },
            jobs,
            machines: count("num_machines")?,
        })
    }
}

/// The parameters of a recorded distribution by name. Programs before the end of 2026 wrote them as Rust prints them:
/// `Gamma { shape: 0.5, scale: 2.0 }`.
pub(super) fn parameters(recorded: &Value) -> Option<Map<String, Value>> {
    let text = match recorded {
        Value::Object(parameters) => return Some(parameters.clone()),
        Value::String(text) => text,
        _ => return None,
    };
    let pairs = text.split(['{', '}', '(', ')', ',']).filter_map(|part| part.split_once(':'));
    let pairs = pairs.filter_map(|(name, value)| {
        let value: f64 = value.trim().parse().ok()?;
        Some((name.trim().replace('_', "-"), value.into()))
    });
    Some(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parameters were Rust's debug text.
    #[test]
    fn records_tell_what_instances_were_drawn_from() {
        for text in
            ["gamma+shape=1", "uniform+zeros=0.25", "mixed-correlated+noise=2+half-width=7", "taillard"]
        {
            let recipe: Recipe = text.parse().unwrap();
            let sample = Sample::FlowShop { recipe, jobs: 7, machines: 3 };
            let Value::Object(mut record) = sample.record() else { panic!("no record") };
            assert!(record["parameters"].is_object());
            assert_eq!(Sample::recorded(&record), Some(sample), "{text}");
            record.insert("parameters".to_string(), format!("{:?}", recipe.distribution).into());
            assert_eq!(Sample::recorded(&record), Some(sample), "{text} of an earlier program");
        }
        assert_eq!(Sample::recorded(&Map::new()), None);
    }
}
