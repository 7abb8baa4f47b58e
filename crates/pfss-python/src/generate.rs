//! Random instances.

use pfss_core::Seed;
use pfss_core::generate::{Generated, Recipe};
use pfss_io::{AnyInstance, Entry, Metadata};
use pyo3::prelude::*;

use crate::entry::NativeInstance;
use crate::error::input;

/// Draws `count` instances by a recipe such as `gamma+shape=1+zeros=0.2`.
#[pyfunction]
pub(crate) fn generate(
    recipe: &str,
    num_jobs: usize,
    num_machines: usize,
    count: u64,
    seed: u64,
) -> PyResult<Vec<NativeInstance>> {
    let recipe: Recipe = recipe.parse().map_err(input)?;
    let draw = |index| {
        let instance = match recipe.nth(num_jobs, num_machines, Seed::new(seed), index).map_err(input)? {
            Generated::Integer(instance) => AnyInstance::from(instance),
            Generated::Real(instance) => AnyInstance::from(instance),
        };
        let mut entry = Entry::from(instance);
        entry.metadata = Metadata { seed: Some(seed), ..Metadata::default() };
        NativeInstance::new(entry, None)
    };
    (0..count).map(draw).collect()
}
