//! The model that is part of the program, and those in files.

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

/// The model that is part of the program: one for flow shops of any size.
pub const BUILT_IN_MODEL: &str = "front";

/// The folder of models that are found by their names, `models/NAME/model.safetensors`, below the current one.
pub const MODEL_FOLDER: &str = "models";

/// The file of a model in its folder.
pub const MODEL_FILE: &str = "model.safetensors";

/// Why there is no policy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadModelError {
    /// The file cannot be read.
    #[error(
        "{}: cannot read the model: {source}; {MODEL_FOLDER} has none of this name either, and `{BUILT_IN_MODEL}` is the one that is built in (scripts/models brings back those of the reproduction)",
        path.display()
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no model.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ModelError,
    },
    /// The built-in model is damaged.
    #[error("the model {BUILT_IN_MODEL} is damaged, which is a defect worth reporting: {source}")]
    BuiltIn {
        /// What is wrong with it.
        source: ModelError,
    },
}

/// The policy in a file, in the folder of a training, or of a name; an empty text stands for the built-in one.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str) -> Result<LoadedPolicy, LoadModelError> {
    if model.is_empty() || model == BUILT_IN_MODEL {
        return built_in();
    }
    let path = Path::new(model);
    let named = Path::new(MODEL_FOLDER).join(path).join(MODEL_FILE);
    // A folder that a training wrote stands for the model in it.
    let file = if path.is_dir() { path.join(MODEL_FILE) } else { path.to_path_buf() };
    let file = if !file.exists() && named.exists() { named } else { file };
    match std::fs::read(&file) {
        Ok(bytes) => {
            LoadedPolicy::from_bytes(&bytes).map_err(|source| LoadModelError::Model { path: file, source })
        }
        Err(source) => Err(LoadModelError::Read { path: path.to_path_buf(), source }),
    }
}

/// The built-in policy, read once: a run on a small instance takes less time than that.
fn built_in() -> Result<LoadedPolicy, LoadModelError> {
    static POLICY: OnceLock<LoadedPolicy> = OnceLock::new();
    if let Some(policy) = POLICY.get() {
        return Ok(policy.clone());
    }
    // Inside the package, so that it can be built without the rest of the repository.
    let bytes = include_bytes!("../models/front/model.safetensors");
    let policy = LoadedPolicy::from_bytes(bytes).map_err(|source| LoadModelError::BuiltIn { source })?;
    Ok(POLICY.get_or_init(|| policy).clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_neural::{FrontConfig, FrontWeights};

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
            let mut order = policy.greedy(&instance, &|| true).unwrap().unwrap();
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
