//! The models that come with the program, and those in files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pfss_core::tsp::TspInstance;
use pfss_core::{Instance, JobId, Rng, Time};
use pfss_neural::{Decoding, Finish, FrontPolicy, ModelError, Policy, PolicyInput, ProblemKind, Rollout};
use thiserror::Error;

/// A trained policy of any kind.
#[derive(Clone, Debug)]
pub enum LoadedPolicy {
    /// The paper's network, made for one problem and number of machines.
    Network(Arc<Policy>),
    /// The bidirectional policy, for flow shops of any size.
    Front(Arc<FrontPolicy>),
}

impl LoadedPolicy {
    /// Reads a policy from a model file's content.
    ///
    /// # Errors
    /// [`ModelError`] tells what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        match Policy::from_bytes(bytes) {
            Ok(policy) => Ok(Self::Network(Arc::new(policy))),
            // It may be one of the other kind.
            Err(ModelError::Foreign { reason }) => match FrontPolicy::from_bytes(bytes) {
                Ok(policy) => Ok(Self::Front(Arc::new(policy))),
                Err(ModelError::Foreign { .. }) => Err(ModelError::Foreign { reason }),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Whether it leaves the last jobs to a search, so that a [`Finish`] means something to it.
    pub fn has_finish(&self) -> bool {
        matches!(self, Self::Front(_))
    }

    /// The same policy; a bidirectional one orders the last jobs in another way, others have nothing to change.
    pub fn with_finish(self, finish: Finish) -> Self {
        match self {
            Self::Front(policy) if policy.finish() != finish => {
                Self::Front(Arc::new(Arc::unwrap_or_clone(policy).with_finish(finish)))
            }
            other => other,
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

    /// The greedy order, where it is whole before `goes_on` says no; sooner than building it with its probability.
    ///
    /// # Errors
    /// As for [`LoadedPolicy::orders`].
    pub fn greedy<T: Time>(
        &self,
        instance: &Instance<T>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<JobId>>, ModelError> {
        match self {
            Self::Network(policy) => policy.greedy_while(instance, goes_on),
            Self::Front(policy) => Ok(policy.greedy_while(instance, goes_on)),
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
    /// The number of machines that it was trained for; `None` where it serves any.
    pub num_machines: Option<usize>,
    /// What it was trained on.
    pub summary: &'static str,
    bytes: &'static [u8],
    /// Read once: a run on a small instance takes less time than that.
    policy: OnceLock<LoadedPolicy>,
}

impl ShippedModel {
    fn policy(&self) -> Result<LoadedPolicy, LoadModelError> {
        if let Some(policy) = self.policy.get() {
            return Ok(policy.clone());
        }
        let policy = LoadedPolicy::from_bytes(self.bytes)
            .map_err(|source| LoadModelError::Shipped { name: self.name, source })?;
        Ok(self.policy.get_or_init(|| policy).clone())
    }
}

macro_rules! shipped {
    ($name:literal, $problem:ident, $machines:expr, $summary:literal) => {
        shipped!($name, $problem, $machines, $summary, in "../../../models/")
    };
    ($name:literal, $problem:ident, $machines:expr, $summary:literal, in $folder:literal) => {
        ShippedModel {
            name: $name,
            problem: ProblemKind::$problem,
            num_machines: $machines,
            summary: $summary,
            bytes: include_bytes!(concat!($folder, $name, "/model.safetensors")),
            policy: OnceLock::new(),
        }
    };
}

/// All of them.
pub fn shipped_models() -> &'static [ShippedModel] {
    static MODELS: [ShippedModel; 6] = [
        // Inside the package, so that it can be built without the rest of the repository.
        shipped!(
            "front",
            FlowShop,
            None,
            "orders from both ends, for any number of jobs and machines",
            in "../models/"
        ),
        shipped!(
            "gamma-m5",
            FlowShop,
            Some(5),
            "gamma times, 20 jobs, 5 machines, labels of iterated greedy"
        ),
        shipped!(
            "gamma-m10",
            FlowShop,
            Some(10),
            "gamma times, 20 jobs, 10 machines, labels of iterated greedy"
        ),
        shipped!(
            "gamma-m20",
            FlowShop,
            Some(20),
            "gamma times, 20 jobs, 20 machines, labels of iterated greedy"
        ),
        shipped!(
            "normal-m5",
            FlowShop,
            Some(5),
            "normal times, 20 jobs, 5 machines, labels of iterated greedy, then actor and critic"
        ),
        shipped!("tsp-50", Tsp, Some(2), "50 cities of the unit square, imitation, then actor and critic"),
    ];
    &MODELS
}

/// Why there is no policy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadModelError {
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

/// The policy in a file or of a name; an empty text stands for the model that serves most sizes of the problem.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str, problem: ProblemKind) -> Result<LoadedPolicy, LoadModelError> {
    let name = match (model, problem) {
        ("", ProblemKind::FlowShop) => "front",
        ("", ProblemKind::Tsp) => "tsp-50",
        (name, _) => name,
    };
    if let Some(shipped) = shipped_models().iter().find(|shipped| shipped.name == name) {
        return shipped.policy();
    }
    let path = Path::new(model).to_path_buf();
    // A folder that a training wrote stands for the model in it.
    let file = if path.is_dir() { path.join("model.safetensors") } else { path.clone() };
    match std::fs::read(&file) {
        Ok(bytes) => {
            LoadedPolicy::from_bytes(&bytes).map_err(|source| LoadModelError::Model { path: file, source })
        }
        Err(source) => Err(LoadModelError::Read { path, source, known: known(problem) }),
    }
}

/// The names of the models that come along for a problem.
fn known(problem: ProblemKind) -> String {
    let of_problem = shipped_models().iter().filter(|model| model.problem == problem);
    let names = of_problem.map(|model| match (model.problem, model.num_machines) {
        (ProblemKind::FlowShop, Some(machines)) => format!("{} ({machines} machines)", model.name),
        _ => model.name.to_string(),
    });
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_neural::{FrontConfig, FrontWeights};

    #[test]
    fn every_model_that_comes_along_is_what_it_says() {
        for model in shipped_models() {
            match load(model.name, model.problem).unwrap() {
                LoadedPolicy::Network(policy) => {
                    assert_eq!(Some(policy.config().num_machines), model.num_machines);
                }
                LoadedPolicy::Front(_) => assert_eq!(model.num_machines, None),
            }
        }
    }

    #[test]
    fn the_bidirectional_policy_is_the_default_and_is_read_once() {
        let front = |name: &str| match load(name, ProblemKind::FlowShop).unwrap() {
            LoadedPolicy::Front(policy) => policy,
            LoadedPolicy::Network(_) => panic!("{name} is of another kind"),
        };
        assert!(Arc::ptr_eq(&front(""), &front("front")));
    }

    #[test]
    fn a_model_for_tours_comes_along() {
        let LoadedPolicy::Network(policy) = load("", ProblemKind::Tsp).unwrap() else {
            panic!("the bidirectional policy is for flow shops");
        };
        assert_eq!(policy.config().problem, ProblemKind::Tsp);
        let missing = load("no-such-model", ProblemKind::Tsp).err().unwrap().to_string();
        assert!(missing.contains("tsp-50") && !missing.contains("machines"), "{missing}");
    }

    #[test]
    fn a_bidirectional_policy_serves_any_number_of_machines() {
        let weights = FrontWeights::random(FrontConfig::default(), 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, weights.to_bytes().unwrap()).unwrap();
        let policy = load(file.to_str().unwrap(), ProblemKind::FlowShop).unwrap();
        for machines in [1, 3, 7] {
            let instance = Instance::new("", machines, vec![2u32; 5 * machines]).unwrap();
            let mut order = policy.greedy(&instance, &|| true).unwrap().unwrap();
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
            let error = load(path.to_str().unwrap(), ProblemKind::FlowShop).err().unwrap();
            assert!(matches!(error, LoadModelError::Model { .. }), "{error}");
        }
    }
}
