//! A trained policy of any kind.

use std::sync::Arc;

use pfss_core::{Instance, JobId, Rng, Time};
use pfss_neural::{Decoding, Finish, FrontPolicy, ModelError, Policy, PolicyInput, ProblemKind, Rollout};

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
