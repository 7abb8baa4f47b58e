//! The models that are part of the program.

use std::sync::OnceLock;

use super::error::LoadModelError;
use super::loaded::LoadedPolicy;
use super::names::{BUILT_IN_MODEL, WIDE_MODEL};

/// From so many machines on, the model for many machines is the better one: `front` is ahead on 20 machines and behind on 40.
const MANY_MACHINES: usize = 30;

/// The better of the built-in models for so many machines.
pub(super) fn name_for(num_machines: usize) -> &'static str {
    if num_machines < MANY_MACHINES { BUILT_IN_MODEL } else { WIDE_MODEL }
}

/// The built-in policy of this name, read once: a run on a small instance takes less time than that.
pub(super) fn load(name: &str) -> Option<Result<LoadedPolicy, LoadModelError>> {
    static FRONT: OnceLock<LoadedPolicy> = OnceLock::new();
    static WIDE: OnceLock<LoadedPolicy> = OnceLock::new();
    let (name, policy) = match name {
        BUILT_IN_MODEL => (BUILT_IN_MODEL, &FRONT),
        WIDE_MODEL => (WIDE_MODEL, &WIDE),
        _ => return None,
    };
    let bytes = content(name)?;
    if let Some(policy) = policy.get() {
        return Some(Ok(policy.clone()));
    }
    let read = LoadedPolicy::from_bytes(bytes).map_err(|source| LoadModelError::BuiltIn { name, source });
    Some(read.map(|read| policy.get_or_init(|| read).clone()))
}

/// The file of the built-in model of this name. Inside the package, so that it can be built without the rest of the repository.
pub(super) fn content(name: &str) -> Option<&'static [u8]> {
    match name {
        BUILT_IN_MODEL => Some(include_bytes!("../../models/front/model.safetensors")),
        WIDE_MODEL => Some(include_bytes!("../../models/front-wide/model.safetensors")),
        _ => None,
    }
}
