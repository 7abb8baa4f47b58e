//! Random processing times: which distribution, its checked parameters, and the draw.

use rand::RngExt;
use rand_distr::{Distribution as _, Gamma, Normal};

use super::lehmer;
use super::size::{GenerateError, reserve};
use crate::{Instance, Seed};

/// What processing times are drawn from, independently for every job and machine.
///
/// ```
/// use pfss_core::{Seed, generate::{Distribution, Generated}};
/// let Generated::Real(instance) = Distribution::gamma().generate(20, 5, Seed::new(1)).unwrap() else {
///     unreachable!()
/// };
/// assert_eq!((instance.num_jobs(), instance.num_machines()), (20, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution {
    /// Whole numbers from 1 to 99 by Taillard's own generator.
    Taillard,
    /// Whole numbers from `low` to `high`, both included.
    Uniform {
        /// The least time.
        low: u32,
        /// The greatest time.
        high: u32,
    },
    /// Gamma-distributed reals.
    Gamma {
        /// The shape, `k`.
        shape: f64,
        /// The scale, `theta`.
        scale: f64,
    },
    /// Normally distributed reals; negative draws become 0.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        std: f64,
    },
}

/// A generated instance: whole or real times.
#[derive(Clone, Debug, PartialEq)]
pub enum Generated {
    /// Whole times.
    Integer(Instance<u32>),
    /// Real times.
    Real(Instance<f64>),
}

impl Generated {
    /// The same instance under another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        match self {
            Self::Integer(instance) => Self::Integer(instance.with_name(name)),
            Self::Real(instance) => Self::Real(instance.with_name(name)),
        }
    }
}

impl Distribution {
    /// Whole numbers from 1 to 99, as in most published benchmarks.
    pub fn uniform() -> Self {
        Self::Uniform { low: 1, high: 99 }
    }

    /// Gamma with shape 0.5 and scale 2, which is chi-square with one degree of freedom: mean 1.
    pub fn gamma() -> Self {
        Self::Gamma { shape: 0.5, scale: 2.0 }
    }

    /// Normal with mean 6 and standard deviation 6, clipped at 0.
    pub fn normal() -> Self {
        Self::Normal { mean: 6.0, std: 6.0 }
    }

    /// The word for the kind of distribution.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taillard => "taillard",
            Self::Uniform { .. } => "uniform",
            Self::Gamma { .. } => "gamma",
            Self::Normal { .. } => "normal",
        }
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`GenerateError::Parameter`] names the parameter that is out of range.
    pub fn validate(self) -> Result<(), GenerateError> {
        match self {
            Self::Taillard => Ok(()),
            Self::Uniform { low, high } if low <= high => Ok(()),
            Self::Uniform { low, .. } => Err(GenerateError::Parameter {
                name: "low",
                value: low.to_string(),
                accepted: "at most `high`",
            }),
            Self::Gamma { shape, scale } => positive("shape", shape).and(positive("scale", scale)),
            Self::Normal { mean, std } => finite("mean", mean).and(not_negative("std", std)),
        }
    }

    /// One instance from `seed`.
    ///
    /// [`Distribution::Taillard`] takes the seed's number itself where Taillard's generator accepts it, so
    /// that published seeds give the published instances; otherwise it draws one.
    ///
    /// # Errors
    /// [`GenerateError`] when a parameter is out of range or the size is not that of an instance.
    pub fn generate(
        self,
        num_jobs: usize,
        num_machines: usize,
        seed: Seed,
    ) -> Result<Generated, GenerateError> {
        let size = (num_jobs, num_machines);
        match self {
            Self::Taillard => {
                lehmer::taillard(num_jobs, num_machines, taillard_seed(seed)).map(Generated::Integer)
            }
            Self::Uniform { low, high } => uniform(size, low, high, seed).map(Generated::Integer),
            Self::Gamma { shape, scale } => gamma(size, shape, scale, seed).map(Generated::Real),
            Self::Normal { mean, std } => normal(size, mean, std, seed).map(Generated::Real),
        }
    }

    /// Instance `index` (0-based) of a batch: it depends on the batch's seed and on `index` only.
    ///
    /// Its seed is `seed.nth(index)`, except that the first Taillard instance takes `seed` itself.
    ///
    /// # Errors
    /// See [`Distribution::generate`].
    pub fn nth(
        self,
        num_jobs: usize,
        num_machines: usize,
        seed: Seed,
        index: u64,
    ) -> Result<Generated, GenerateError> {
        let own = if index == 0 && self == Self::Taillard { seed } else { seed.nth(index) };
        let name = format!("{}_{num_jobs}x{num_machines}_{}", self.as_str(), u128::from(index) + 1);
        Ok(self.generate(num_jobs, num_machines, own)?.with_name(name))
    }
}

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
    let distribution = Distribution::Uniform { low, high };
    distribution.validate()?;
    let mut rng = seed.stream("times");
    fill(distribution, size, || rng.random_range(low..=high))
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
    let distribution = Distribution::Gamma { shape, scale };
    distribution.validate()?;
    let gamma = Gamma::new(shape, scale).map_err(|_| GenerateError::Parameter {
        name: "shape",
        value: shape.to_string(),
        accepted: "a positive number that is not too large",
    })?;
    let mut rng = seed.stream("times");
    fill(distribution, size, || gamma.sample(&mut rng))
}

/// An instance of `(jobs, machines)` with normally distributed real times, negative draws set to 0.
///
/// # Errors
/// [`GenerateError`] when a parameter is out of range or the size is not that of an instance.
pub fn normal(size: (usize, usize), mean: f64, std: f64, seed: Seed) -> Result<Instance<f64>, GenerateError> {
    let distribution = Distribution::Normal { mean, std };
    distribution.validate()?;
    let normal = Normal::new(mean, std).map_err(|_| GenerateError::Parameter {
        name: "std",
        value: std.to_string(),
        accepted: "a finite number that is not negative",
    })?;
    let mut rng = seed.stream("times");
    fill(distribution, size, || normal.sample(&mut rng).max(0.0))
}

/// Draws all times, job by job.
fn fill<T: crate::Time>(
    distribution: Distribution,
    (num_jobs, num_machines): (usize, usize),
    mut draw: impl FnMut() -> T,
) -> Result<Instance<T>, GenerateError> {
    let mut times = reserve(num_jobs, num_machines)?;
    times.extend((0..num_jobs * num_machines).map(|_| draw()));
    let name = format!("{}_{num_jobs}x{num_machines}", distribution.as_str());
    Ok(Instance::new(name, num_machines, times)?)
}

fn taillard_seed(seed: Seed) -> u32 {
    match u32::try_from(seed.number()) {
        Ok(number) if lehmer::SEEDS.contains(&number) => number,
        _ => seed.stream("taillard").random_range(lehmer::SEEDS),
    }
}

fn positive(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept(value.is_finite() && value > 0.0, name, value, "a positive number")
}

fn not_negative(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept(value.is_finite() && value >= 0.0, name, value, "a number that is not negative")
}

fn finite(name: &'static str, value: f64) -> Result<(), GenerateError> {
    accept(value.is_finite(), name, value, "a finite number")
}

fn accept(good: bool, name: &'static str, value: f64, accepted: &'static str) -> Result<(), GenerateError> {
    if good { Ok(()) } else { Err(GenerateError::Parameter { name, value: value.to_string(), accepted }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InstanceError;
    use crate::instance::MAX_JOBS;

    const SEED: u64 = 1;

    #[test]
    fn draws_are_pinned() {
        // Golden values: a change here changes every generated instance of every user.
        let size = (3, 2);
        let whole = uniform(size, 1, 99, Seed::new(SEED)).unwrap();
        assert_eq!(whole.times(), &GOLDEN_UNIFORM);
        let close = |found: &[f64], golden: &[f64]| {
            assert!(found.iter().zip(golden).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        };
        close(gamma(size, 0.5, 2.0, Seed::new(SEED)).unwrap().times(), &GOLDEN_GAMMA);
        close(normal(size, 6.0, 6.0, Seed::new(SEED)).unwrap().times(), &GOLDEN_NORMAL);
    }

    const GOLDEN_UNIFORM: [u32; 6] = [21, 92, 87, 33, 31, 42];
    const GOLDEN_GAMMA: [f64; 6] = [
        0.14635184067790394,
        0.09490672586195614,
        0.2100434493257262,
        1.2023217239639516,
        1.0191085070189434,
        0.3399231584267982,
    ];
    const GOLDEN_NORMAL: [f64; 6] = [
        0.16862532482814974,
        8.797817015756266,
        0.5133804504304651,
        5.432322754337143,
        0.1084679928187402,
        0.0,
    ];

    fn moments(times: &[f64]) -> (f64, f64) {
        let n = times.len() as f64;
        let mean = times.iter().sum::<f64>() / n;
        (mean, times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / (n - 1.0))
    }

    #[test]
    fn means_and_variances_are_right() {
        let size = (40_000, 5);
        let near = |found: (f64, f64), expected: (f64, f64)| {
            assert!((found.0 / expected.0 - 1.0).abs() < 0.01, "mean {} of {}", found.0, expected.0);
            assert!((found.1 / expected.1 - 1.0).abs() < 0.03, "variance {} of {}", found.1, expected.1);
        };
        let chi = gamma(size, 0.5, 2.0, Seed::new(2)).unwrap();
        near(moments(chi.times()), (1.0, 2.0));
        let wide = gamma(size, 1.0, 2.0, Seed::new(2)).unwrap();
        near(moments(wide.times()), (2.0, 4.0));
        // A normal clipped at zero, one standard deviation below its mean: mean 6 (cdf(1) + pdf(1)).
        let clipped = normal(size, 6.0, 6.0, Seed::new(2)).unwrap();
        let (cdf, pdf) = (0.841_344_746, 0.241_970_725);
        let mean = 6.0 * (cdf + pdf);
        near(moments(clipped.times()), (mean, 36.0 * (2.0 * cdf + pdf) - mean * mean));
        let whole = uniform(size, 1, 99, Seed::new(2)).unwrap();
        let whole: Vec<f64> = whole.times().iter().map(|&t| f64::from(t)).collect();
        near(moments(&whole), (50.0, (99.0 * 99.0 - 1.0) / 12.0));
    }

    #[test]
    fn a_batch_is_made_of_independent_seeds() {
        let distribution = Distribution::gamma();
        let third = distribution.nth(4, 3, Seed::new(9), 2).unwrap();
        let alone = distribution.generate(4, 3, Seed::new(9).nth(2)).unwrap();
        assert_eq!(third, alone.with_name("gamma_4x3_3"));
        assert_ne!(third, distribution.nth(4, 3, Seed::new(9), 1).unwrap().with_name("gamma_4x3_3"));
    }

    #[test]
    fn taillard_takes_published_seeds() {
        let published = lehmer::taillard(20, 5, 873_654_221).unwrap();
        let first = Distribution::Taillard.nth(20, 5, Seed::new(873_654_221), 0).unwrap();
        assert_eq!(first, Generated::Integer(published.with_name("taillard_20x5_1")));
        assert!(Distribution::Taillard.generate(20, 5, Seed::new(0)).is_ok());
        assert!(Distribution::Taillard.generate(20, 5, Seed::new(u64::MAX)).is_ok());
    }

    #[test]
    fn bad_parameters_are_typed_errors() {
        let name = |distribution: Distribution| match distribution.generate(2, 2, Seed::new(1)) {
            Err(GenerateError::Parameter { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(Distribution::Uniform { low: 2, high: 1 }), "low");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(name(Distribution::Gamma { shape: bad, scale: 1.0 }), "shape");
            assert_eq!(name(Distribution::Gamma { shape: 1.0, scale: bad }), "scale");
        }
        assert_eq!(name(Distribution::Normal { mean: f64::NAN, std: 1.0 }), "mean");
        assert_eq!(name(Distribution::Normal { mean: 1.0, std: -1.0 }), "std");
        let empty = Distribution::uniform().generate(0, 5, Seed::new(1));
        assert_eq!(empty, Err(GenerateError::Instance(InstanceError::NoJobs)));
        let huge = Distribution::gamma().generate(usize::MAX, 2, Seed::new(1));
        assert!(matches!(huge, Err(GenerateError::TooLarge { .. })));
    }

    #[test]
    fn more_jobs_than_can_be_numbered_are_not_drawn_first() {
        // Reserved, where the system promises memory that it does not have, but never filled.
        for machines in [1, 2] {
            let error = Distribution::uniform().generate(MAX_JOBS + 1, machines, Seed::new(1)).unwrap_err();
            let is_typed = matches!(
                error,
                GenerateError::TooLarge { .. } | GenerateError::Instance(InstanceError::TooManyJobs { .. })
            );
            assert!(is_typed, "{error}");
        }
    }

    #[test]
    fn the_last_instance_of_a_batch_has_a_name() {
        let Generated::Real(last) = Distribution::gamma().nth(2, 2, Seed::new(1), u64::MAX).unwrap() else {
            panic!("gamma times are real")
        };
        assert_eq!(last.name(), "gamma_2x2_18446744073709551616");
    }
}
