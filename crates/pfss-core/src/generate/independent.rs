//! Times that are drawn independently for every job and machine.

use rand::RngExt;
use rand_distr::{Distribution as _, Gamma, LogNormal, Normal};

use super::check::{finite, in_order, not_negative, positive};
use super::size::{GenerateError, reserve};
use crate::{Instance, Seed};

/// An instance of `(jobs, machines)` with whole times from `low` to `high`, both included.
///
/// # Errors
/// [`GenerateError`] when `low > high` or the size is not that of an instance.
pub fn uniform(
    size: (usize, usize),
    low: u32,
    high: u32,
    seed: Seed,
) -> Result<Instance<u32>, GenerateError> {
    in_order(low, high)?;
    let mut rng = seed.stream("times");
    fill("uniform", size, || rng.random_range(low..=high))
}

/// An instance of `(jobs, machines)` with gamma-distributed real times of mean `shape * scale`.
///
/// # Errors
/// [`GenerateError`] when a parameter is not positive or the size is not that of an instance.
pub fn gamma(
    size: (usize, usize),
    shape: f64,
    scale: f64,
    seed: Seed,
) -> Result<Instance<f64>, GenerateError> {
    positive("shape", shape).and(positive("scale", scale))?;
    let gamma = Gamma::new(shape, scale).map_err(|_| GenerateError::Parameter {
        name: "shape",
        value: shape.to_string(),
        accepted: "a positive number that is not too large",
    })?;
    let mut rng = seed.stream("times");
    fill("gamma", size, || gamma.sample(&mut rng))
}

/// An instance of `(jobs, machines)` with normally distributed real times, negative draws set to 0.
///
/// # Errors
/// [`GenerateError`] when a parameter is out of range or the size is not that of an instance.
pub fn normal(size: (usize, usize), mean: f64, std: f64, seed: Seed) -> Result<Instance<f64>, GenerateError> {
    finite("mean", mean).and(not_negative("std", std))?;
    let normal = Normal::new(mean, std).map_err(|_| GenerateError::Parameter {
        name: "std",
        value: std.to_string(),
        accepted: "a finite number that is not negative",
    })?;
    let mut rng = seed.stream("times");
    fill("normal", size, || normal.sample(&mut rng).max(0.0))
}

/// An instance of `(jobs, machines)` with log-normally distributed real times of this mean and standard deviation.
///
/// # Errors
/// [`GenerateError`] when a parameter is out of range or the size is not that of an instance.
pub fn lognormal(
    size: (usize, usize),
    mean: f64,
    std: f64,
    seed: Seed,
) -> Result<Instance<f64>, GenerateError> {
    positive("mean", mean).and(not_negative("std", std))?;
    let lognormal = LogNormal::from_mean_cv(mean, std / mean).map_err(|_| GenerateError::Parameter {
        name: "std",
        value: std.to_string(),
        accepted: "a number that is not negative and not too large beside `mean`",
    })?;
    let mut rng = seed.stream("times");
    fill("lognormal", size, || lognormal.sample(&mut rng))
}

/// Draws all times, job by job.
fn fill<T: crate::Time>(
    name: &str,
    (num_jobs, num_machines): (usize, usize),
    mut draw: impl FnMut() -> T,
) -> Result<Instance<T>, GenerateError> {
    let mut times = reserve(num_jobs, num_machines)?;
    times.extend((0..num_jobs * num_machines).map(|_| draw()));
    let name = format!("{name}_{num_jobs}x{num_machines}");
    Ok(Instance::new(name, num_machines, times)?)
}
