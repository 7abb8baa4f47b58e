//! How instances are drawn: a distribution, and jobs that skip machines.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;

use super::check::share;
use super::distribution::Distribution;
use super::generated::Generated;
use super::parameter::Parameter;
use super::size::GenerateError;
use crate::{Instance, Seed, Time};

/// The name of the share of zeros in a recipe's text.
const ZEROS: &str = "zeros";

/// How instances are drawn: a distribution, and the share of operations that jobs skip, whose times are 0.
///
/// As a text it is the distribution's name and what differs from its defaults.
///
/// ```
/// use pfss_core::{Seed, generate::Recipe};
/// let recipe: Recipe = "gamma+shape=1+zeros=0.2".parse().unwrap();
/// assert_eq!(recipe.to_string(), "gamma+shape=1+zeros=0.2");
/// assert_eq!(recipe.zeros, 0.2);
/// assert!(recipe.generate(20, 5, Seed::new(1)).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// What times are drawn from.
    pub distribution: Distribution,
    /// Each time is 0 instead with this probability.
    pub zeros: f64,
}

impl From<Distribution> for Recipe {
    fn from(distribution: Distribution) -> Self {
        Self { distribution, zeros: 0.0 }
    }
}

impl Recipe {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`GenerateError`] names the parameter that is out of range.
    pub fn validate(self) -> Result<(), GenerateError> {
        self.distribution.validate()?;
        share(ZEROS, self.zeros)?;
        if self.zeros > 0.0 && self.distribution == Distribution::Taillard {
            return Err(GenerateError::Foreign {
                name: ZEROS,
                owners: "all distributions but one".to_string(),
                distribution: self.distribution.as_str(),
            });
        }
        Ok(())
    }

    /// One instance from `seed`. Zeros have a stream of their own: the other times are those without them.
    ///
    /// # Errors
    /// See [`Distribution::generate`].
    pub fn generate(
        self,
        num_jobs: usize,
        num_machines: usize,
        seed: Seed,
    ) -> Result<Generated, GenerateError> {
        self.validate()?;
        let drawn = self.distribution.generate(num_jobs, num_machines, seed)?;
        self.skip(drawn, seed)
    }

    /// Instance `index` (0-based) of a batch, as [`Distribution::nth`] has it.
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
        self.validate()?;
        let drawn = self.distribution.nth(num_jobs, num_machines, seed, index)?;
        self.skip(drawn, seed.nth(index))
    }

    fn skip(self, drawn: Generated, seed: Seed) -> Result<Generated, GenerateError> {
        if self.zeros == 0.0 {
            return Ok(drawn);
        }
        Ok(match drawn {
            Generated::Integer(instance) => Generated::Integer(with_zeros(&instance, self.zeros, seed)?),
            Generated::Real(instance) => Generated::Real(with_zeros(&instance, self.zeros, seed)?),
        })
    }
}

/// The same instance with a share of its times set to 0.
fn with_zeros<T: Time>(instance: &Instance<T>, zeros: f64, seed: Seed) -> Result<Instance<T>, GenerateError> {
    let mut rng = seed.stream(ZEROS);
    let times = instance.times().iter();
    let times = times.map(|&time| if rng.random::<f64>() < zeros { T::ZERO } else { time }).collect();
    Ok(Instance::new(instance.name(), instance.num_machines(), times)?)
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.distribution.as_str();
        write!(f, "{name}")?;
        let default = Distribution::named(name);
        for parameter in Parameter::ALL {
            let own = self.distribution.get(parameter);
            if let Some(value) = own.filter(|_| default.and_then(|default| default.get(parameter)) != own) {
                write!(f, "+{}={value}", parameter.as_str())?;
            }
        }
        if self.zeros > 0.0 {
            write!(f, "+{ZEROS}={}", self.zeros)?;
        }
        Ok(())
    }
}

impl FromStr for Recipe {
    type Err = GenerateError;

    fn from_str(text: &str) -> Result<Self, GenerateError> {
        let unknown = || {
            let names = Distribution::all().map(Distribution::as_str).join(", ");
            let expected = format!("one of {names}, also with parameters as in `gamma+shape=1+zeros=0.2`");
            GenerateError::Unknown { text: text.to_string(), expected }
        };
        let mut parts = text.split('+');
        let distribution = parts.next().and_then(Distribution::named).ok_or_else(unknown)?;
        let mut recipe = Self::from(distribution);
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(unknown)?;
            let value = value.parse().map_err(|_| unknown())?;
            match Parameter::named(name) {
                Some(parameter) => recipe.distribution = recipe.distribution.with(parameter, value)?,
                None if name == ZEROS => recipe.zeros = value,
                None => return Err(unknown()),
            }
        }
        recipe.validate()?;
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_have_their_share_and_leave_the_other_times() {
        for distribution in Distribution::all().into_iter().filter(|other| *other != Distribution::Taillard) {
            let recipe = Recipe { distribution, zeros: 0.2 };
            let times = |generated| match generated {
                Generated::Integer(instance) => {
                    instance.times().iter().map(|&time| f64::from(time)).collect()
                }
                Generated::Real(instance) => instance.times().to_vec(),
            };
            let without: Vec<f64> = times(distribution.nth(200, 50, Seed::new(4), 1).unwrap());
            let with: Vec<f64> = times(recipe.nth(200, 50, Seed::new(4), 1).unwrap());
            assert_eq!(with, times(recipe.generate(200, 50, Seed::new(4).nth(1)).unwrap()));
            assert!(with.iter().zip(&without).all(|(with, without)| *with == 0.0 || with == without));
            let count = |times: &[f64]| times.iter().filter(|time| **time == 0.0).count() as f64 / 10_000.0;
            let share = (count(&with) - count(&without)) / (1.0 - count(&without));
            assert!((share - 0.2).abs() < 0.02, "{distribution:?}: {share}");
        }
        let all = Recipe { distribution: Distribution::uniform(), zeros: 1.0 };
        let Generated::Integer(all) = all.generate(5, 5, Seed::new(1)).unwrap() else {
            panic!("whole times")
        };
        assert!(all.times().iter().all(|time| *time == 0));
    }

    #[test]
    fn recipes_are_read_and_written() {
        for text in [
            "uniform",
            "gamma+shape=1+scale=2.5",
            "lognormal+std=3",
            "job-correlated+alpha=0.2+half-width=10",
            "mixed-correlated+low=5+high=50+noise=2+zeros=0.1",
            "taillard",
        ] {
            let recipe: Recipe = text.parse().unwrap();
            let again: Recipe = recipe.to_string().parse().unwrap();
            assert_eq!(again, recipe, "{text}");
        }
        assert_eq!("gamma+shape=0.5".parse::<Recipe>().unwrap().to_string(), "gamma");
        for wrong in
            ["", "beta", "gamma+", "gamma+shape", "gamma+shape=x", "gamma+size=1", "Gamma", "gamma+zeros"]
        {
            let error = wrong.parse::<Recipe>().unwrap_err();
            assert!(matches!(error, GenerateError::Unknown { .. }), "{wrong}: {error}");
        }
        let foreign = |text: &str| matches!(text.parse::<Recipe>(), Err(GenerateError::Foreign { .. }));
        assert!(foreign("gamma+low=1") && foreign("taillard+zeros=0.1") && foreign("job-correlated+noise=1"));
        let out_of_range =
            |text: &str| matches!(text.parse::<Recipe>(), Err(GenerateError::Parameter { .. }));
        assert!(
            out_of_range("gamma+zeros=1.5")
                && out_of_range("gamma+zeros=NaN")
                && out_of_range("gamma+shape=0")
        );
        assert!(out_of_range("uniform+low=1.5") && out_of_range("uniform+high=-1"));
    }
}
