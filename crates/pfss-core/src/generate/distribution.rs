//! What processing times are drawn from, its checked parameters, and the draw.

use rand::RngExt;

use super::check::{finite, in_order, not_negative, positive};
use super::correlated::{Correlated, CorrelatedBy};
use super::generated::Generated;
use super::size::GenerateError;
use super::{independent, lehmer};
use crate::Seed;

/// What processing times are drawn from.
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
    /// Log-normally distributed reals: most times short, few very long.
    LogNormal {
        /// The mean of the times themselves.
        mean: f64,
        /// Their standard deviation.
        std: f64,
    },
    /// Whole numbers that depend on their job, their machine, or both.
    Correlated(Correlated),
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

    /// Log-normal with mean 1 and standard deviation 1.
    pub fn lognormal() -> Self {
        Self::LogNormal { mean: 1.0, std: 1.0 }
    }

    /// Each kind once, with its defaults.
    pub fn all() -> [Self; 8] {
        let correlated = |by| Self::Correlated(Correlated::new(by));
        [
            Self::uniform(),
            Self::gamma(),
            Self::normal(),
            Self::lognormal(),
            correlated(CorrelatedBy::Job),
            correlated(CorrelatedBy::Machine),
            correlated(CorrelatedBy::Both),
            Self::Taillard,
        ]
    }

    /// The kind of this name, with its defaults.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|distribution| distribution.as_str() == name)
    }

    /// The word for the kind of distribution.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taillard => "taillard",
            Self::Uniform { .. } => "uniform",
            Self::Gamma { .. } => "gamma",
            Self::Normal { .. } => "normal",
            Self::LogNormal { .. } => "lognormal",
            Self::Correlated(correlated) => correlated.as_str(),
        }
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`GenerateError::Parameter`] names the parameter that is out of range.
    pub fn validate(self) -> Result<(), GenerateError> {
        match self {
            Self::Taillard => Ok(()),
            Self::Uniform { low, high } => in_order(low, high),
            Self::Gamma { shape, scale } => positive("shape", shape).and(positive("scale", scale)),
            Self::Normal { mean, std } => finite("mean", mean).and(not_negative("std", std)),
            Self::LogNormal { mean, std } => positive("mean", mean).and(not_negative("std", std)),
            Self::Correlated(correlated) => correlated.validate(),
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
            Self::Uniform { low, high } => {
                independent::uniform(size, low, high, seed).map(Generated::Integer)
            }
            Self::Gamma { shape, scale } => independent::gamma(size, shape, scale, seed).map(Generated::Real),
            Self::Normal { mean, std } => independent::normal(size, mean, std, seed).map(Generated::Real),
            Self::LogNormal { mean, std } => {
                independent::lognormal(size, mean, std, seed).map(Generated::Real)
            }
            Self::Correlated(correlated) => correlated.generate(size, seed).map(Generated::Integer),
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

fn taillard_seed(seed: Seed) -> u32 {
    match u32::try_from(seed.number()) {
        Ok(number) if lehmer::SEEDS.contains(&number) => number,
        _ => seed.stream("taillard").random_range(lehmer::SEEDS),
    }
}
