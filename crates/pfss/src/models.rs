//! The models that come with the program, and those in files.

use std::path::{Path, PathBuf};

use pfss_core::tsp::TspInstance;
use pfss_core::{Instance, JobId, Rng, Time};
use pfss_neural::{Decoding, FrontPolicy, ModelError, Policy, PolicyInput, ProblemKind, Rollout};
use thiserror::Error;

/// A trained policy of any kind.
#[derive(Clone, Debug)]
pub enum LoadedPolicy {
    /// The paper's network, made for one problem and number of machines.
    Network(Box<Policy>),
    /// The bidirectional policy, for flow shops of any size.
    Front(Box<FrontPolicy>),
}

impl LoadedPolicy {
    /// Reads a policy from a model file's content.
    ///
    /// # Errors
    /// [`ModelError`] tells what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        match Policy::from_bytes(bytes) {
            Ok(policy) => Ok(Self::Network(Box::new(policy))),
            // It may be one of the other kind.
            Err(ModelError::Foreign { reason }) => match FrontPolicy::from_bytes(bytes) {
                Ok(policy) => Ok(Self::Front(Box::new(policy))),
                Err(ModelError::Foreign { .. }) => Err(ModelError::Foreign { reason }),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Builds orders, the greedy one first; those that are whole when `goes_on` says no, which may be none.
    ///
    /// # Errors
    /// [`ModelError`] when the policy is for another problem or number of machines.
    pub fn orders<T: Time>(
        &self,
        instance: &Instance<T>,
        decoding: &Decoding,
        rng: &mut Rng,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Rollout>, ModelError> {
        match self {
            Self::Network(policy) => by_network(policy, instance, decoding, rng, goes_on),
            Self::Front(policy) => Ok(policy.build_while(instance, decoding, rng, goes_on)),
        }
    }

    /// Builds tours, as [`LoadedPolicy::orders`] builds orders.
    ///
    /// # Errors
    /// [`ModelError`] when the policy is for flow shops.
    pub fn tours(
        &self,
        instance: &TspInstance,
        decoding: &Decoding,
        rng: &mut Rng,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Rollout>, ModelError> {
        match self {
            Self::Network(policy) => by_network(policy, instance, decoding, rng, goes_on),
            Self::Front(_) => Err(ModelError::Problem {
                expected: ProblemKind::FlowShop.as_str(),
                found: ProblemKind::Tsp.as_str(),
            }),
        }
    }

    /// The greedy order; shorter than building it with its probability.
    ///
    /// # Errors
    /// As for [`LoadedPolicy::orders`].
    pub fn greedy<T: Time>(&self, instance: &Instance<T>) -> Result<Vec<JobId>, ModelError> {
        match self {
            Self::Network(policy) => policy.greedy(instance),
            Self::Front(policy) => Ok(policy.greedy(instance)),
        }
    }
}

fn by_network(
    policy: &Policy,
    instance: &impl PolicyInput,
    decoding: &Decoding,
    rng: &mut Rng,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Rollout>, ModelError> {
    let Some(encoded) = policy.encode_while(instance, goes_on)? else { return Ok(Vec::new()) };
    Ok(policy.build_while(&encoded, decoding, rng, goes_on))
}

/// A model that comes with the program.
pub struct ShippedModel {
    /// Its name.
    pub name: &'static str,
    /// The problem that it was trained for.
    pub problem: ProblemKind,
    /// The number of machines that it was trained for; cities have two coordinates in their place.
    pub num_machines: usize,
    /// What it was trained on.
    pub summary: &'static str,
    bytes: &'static [u8],
}

macro_rules! shipped {
    ($name:literal, $problem:ident, $machines:literal, $summary:literal) => {
        ShippedModel {
            name: $name,
            problem: ProblemKind::$problem,
            num_machines: $machines,
            summary: $summary,
            bytes: include_bytes!(concat!("../../../models/", $name, "/model.safetensors")),
        }
    };
}

/// All of them; the first for a problem and number of machines is the one that is used by default.
pub fn shipped_models() -> &'static [ShippedModel] {
    const MODELS: &[ShippedModel] = &[
        shipped!("gamma-m5", FlowShop, 5, "gamma times, 20 jobs, 5 machines, labels of iterated greedy"),
        shipped!("gamma-m10", FlowShop, 10, "gamma times, 20 jobs, 10 machines, labels of iterated greedy"),
        shipped!("gamma-m20", FlowShop, 20, "gamma times, 20 jobs, 20 machines, labels of iterated greedy"),
        shipped!("normal-m5", FlowShop, 5, "normal times, 20 jobs, 5 machines, labels of iterated greedy, then actor and critic"),
    ];
    MODELS
}

/// Why there is no policy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadModelError {
    /// No model that comes with the program is for this number of machines.
    #[error(
        "there is no model for {num_machines} machines; those that come with the program are {known}; train one with `pfss train bc -m {num_machines}` and give its file as the model"
    )]
    NoneFor {
        /// The instance's.
        num_machines: usize,
        /// The models that there are.
        known: String,
    },
    /// No model that comes with the program is for tours.
    #[error(
        "no model for tours comes with the program; train one with `pfss train bc --problem tsp` and give its file as the model"
    )]
    NoneForTours,
    /// The file cannot be read.
    #[error("{}: cannot read the model: {source}; it is no name of a model either: {known}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
        /// The models that there are.
        known: String,
    },
    /// The file is no model.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ModelError,
    },
    /// A model that comes with the program is damaged.
    #[error("the model {name} is damaged, which is a defect worth reporting: {source}")]
    Shipped {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        source: ModelError,
    },
}

/// The policy in a file or of a name; an empty text stands for the one that fits the problem and number of machines.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str, problem: ProblemKind, num_machines: usize) -> Result<LoadedPolicy, LoadModelError> {
    let known = || {
        let of_problem = shipped_models().iter().filter(|model| model.problem == problem);
        let names = of_problem.map(|model| match problem {
            ProblemKind::FlowShop => format!("{} ({} machines)", model.name, model.num_machines),
            ProblemKind::Tsp => model.name.to_string(),
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let shipped = shipped_models().iter().find(|shipped| match model {
        "" => shipped.problem == problem && shipped.num_machines == num_machines,
        name => shipped.name == name,
    });
    if let Some(shipped) = shipped {
        return LoadedPolicy::from_bytes(shipped.bytes)
            .map_err(|source| LoadModelError::Shipped { name: shipped.name, source });
    }
    if model.is_empty() {
        return Err(match problem {
            ProblemKind::FlowShop => LoadModelError::NoneFor { num_machines, known: known() },
            ProblemKind::Tsp => LoadModelError::NoneForTours,
        });
    }
    let path = Path::new(model).to_path_buf();
    // A folder that a training wrote stands for the model in it.
    let file = if path.is_dir() { path.join("model.safetensors") } else { path.clone() };
    match std::fs::read(&file) {
        Ok(bytes) => {
            LoadedPolicy::from_bytes(&bytes).map_err(|source| LoadModelError::Model { path: file, source })
        }
        Err(source) => Err(LoadModelError::Read { path, source, known: known() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_neural::{FrontConfig, FrontWeights};

    #[test]
    fn every_model_that_comes_along_is_what_it_says() {
        for model in shipped_models() {
            let LoadedPolicy::Network(policy) = load(model.name, model.problem, 1).unwrap() else {
                panic!("{} is of another kind", model.name)
            };
            assert_eq!(policy.config().num_machines, model.num_machines);
        }
    }

    #[test]
    fn a_bidirectional_policy_serves_any_number_of_machines() {
        let weights = FrontWeights::random(FrontConfig::default(), 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, weights.to_bytes().unwrap()).unwrap();
        let policy = load(file.to_str().unwrap(), ProblemKind::FlowShop, 3).unwrap();
        for machines in [1, 3, 7] {
            let instance = Instance::new("", machines, vec![2u32; 5 * machines]).unwrap();
            let mut order = policy.greedy(&instance).unwrap();
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
        let cities = TspInstance::uniform(4, pfss_core::Seed::new(1), 0).unwrap();
        let mut rng = pfss_core::Seed::new(1).rng();
        assert!(policy.tours(&cities, &Decoding::Greedy, &mut rng, &|| true).is_err());
    }

    #[test]
    fn foreign_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, b"not a model at all").unwrap();
        for path in [folder.path(), &file] {
            let error = load(path.to_str().unwrap(), ProblemKind::FlowShop, 5).err().unwrap();
            assert!(matches!(error, LoadModelError::Model { .. }), "{error}");
        }
    }
}
