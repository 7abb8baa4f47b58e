//! The models that come with the program, and those in files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

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

    /// Builds orders for a problem beside the flow shop, as [`LoadedPolicy::orders`] does for that.
    ///
    /// # Errors
    /// [`ModelError`] when the policy is for another problem.
    pub fn orders_of(
        &self,
        instance: &impl PolicyInput,
        decoding: &Decoding,
        rng: &mut Rng,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Rollout>, ModelError> {
        match self {
            Self::Network(policy) => by_network(policy, instance, decoding, rng, goes_on),
            Self::Front(_) => {
                Err(ModelError::Problem { expected: ProblemKind::FLOW_SHOP, found: instance.kind() })
            }
        }
    }

    /// Builds on so many threads; results never depend on their number.
    pub fn on_threads<R: Send>(&self, threads: usize, build: impl FnOnce() -> R + Send) -> R {
        match self {
            // It keeps to one thread, and has a small order sooner than others start.
            Self::Front(_) => build(),
            Self::Network(_) => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(build),
                Err(_) => build(),
            },
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
    /// The number of machines that it was trained for; `None` where it serves any, or there are none.
    pub num_machines: Option<usize>,
    /// What it was trained on.
    pub summary: &'static str,
    bytes: &'static [u8],
    /// Read once: a run on a small instance takes less time than that.
    policy: OnceLock<LoadedPolicy>,
}

impl ShippedModel {
    /// The model of this name in a file's content.
    pub const fn new(
        name: &'static str,
        num_machines: Option<usize>,
        summary: &'static str,
        bytes: &'static [u8],
    ) -> Self {
        Self { name, num_machines, summary, bytes, policy: OnceLock::new() }
    }

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
    ($name:literal, $machines:expr, $summary:literal) => {
        ShippedModel::new(
            $name,
            $machines,
            $summary,
            include_bytes!(concat!("../../../models/", $name, "/model.safetensors")),
        )
    };
}

/// Those for flow shops; the first serves most sizes.
pub fn shipped_models() -> &'static [ShippedModel] {
    static MODELS: [ShippedModel; 5] = [
        shipped!("front", None, "orders from both ends, for any number of jobs and machines"),
        shipped!("gamma-m5", Some(5), "gamma times, 20 jobs, 5 machines, labels of iterated greedy"),
        shipped!("gamma-m10", Some(10), "gamma times, 20 jobs, 10 machines, labels of iterated greedy"),
        shipped!("gamma-m20", Some(20), "gamma times, 20 jobs, 20 machines, labels of iterated greedy"),
        shipped!(
            "normal-m5",
            Some(5),
            "normal times, 20 jobs, 5 machines, labels of iterated greedy, then actor and critic"
        ),
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

/// The policy in a file or of a name; an empty text stands for the model that serves most flow shops.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str) -> Result<LoadedPolicy, LoadModelError> {
    load_among(shipped_models(), model)
}

/// The policy in a file or of a name; an empty text stands for the first of the models of a problem.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load_among(models: &'static [ShippedModel], model: &str) -> Result<LoadedPolicy, LoadModelError> {
    // Models for flow shops are known for every problem, so that their refusal says what they are for.
    let mut all = models.iter().chain(shipped_models());
    if let Some(shipped) = all.find(|shipped| model.is_empty() || shipped.name == model) {
        return shipped.policy();
    }
    let path = Path::new(model).to_path_buf();
    // A folder that a training wrote stands for the model in it.
    let file = if path.is_dir() { path.join("model.safetensors") } else { path.clone() };
    match std::fs::read(&file) {
        Ok(bytes) => {
            LoadedPolicy::from_bytes(&bytes).map_err(|source| LoadModelError::Model { path: file, source })
        }
        Err(source) => Err(LoadModelError::Read { path, source, known: known(models) }),
    }
}

/// Their names.
fn known(models: &[ShippedModel]) -> String {
    let names = models.iter().map(|model| match model.num_machines {
        Some(machines) => format!("{} ({machines} machines)", model.name),
        None => model.name.to_string(),
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
            match load(model.name).unwrap() {
                LoadedPolicy::Network(policy) => {
                    assert_eq!(Some(policy.config().num_machines), model.num_machines);
                }
                LoadedPolicy::Front(_) => assert_eq!(model.num_machines, None),
            }
        }
    }

    #[test]
    fn the_bidirectional_policy_is_the_default_and_is_read_once() {
        let front = |name: &str| match load(name).unwrap() {
            LoadedPolicy::Front(policy) => policy,
            LoadedPolicy::Network(_) => panic!("{name} is of another kind"),
        };
        assert!(Arc::ptr_eq(&front(""), &front("front")));
    }

    #[test]
    fn a_bidirectional_policy_serves_any_number_of_machines() {
        let weights = FrontWeights::random(FrontConfig::default(), 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, weights.to_bytes().unwrap()).unwrap();
        let policy = load(file.to_str().unwrap()).unwrap();
        for machines in [1, 3, 7] {
            let instance = Instance::new("", machines, vec![2u32; 5 * machines]).unwrap();
            let mut order = policy.greedy(&instance).unwrap();
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn foreign_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, b"not a model at all").unwrap();
        for path in [folder.path(), &file] {
            let error = load(path.to_str().unwrap()).err().unwrap();
            assert!(matches!(error, LoadModelError::Model { .. }), "{error}");
        }
    }
}
