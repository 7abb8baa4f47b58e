//! Times that depend on their job, their machine, or both, as in factories: a long job is long on all machines, a slow
//! machine is slow for all jobs.
//!
//! After Watson, Barbulescu, Whitley and Howe (2002), "Contrasting structured and random permutation flow-shop scheduling
//! problems: search-space topology and algorithm performance", INFORMS Journal on Computing 14(2), and the authors' generator.

use rand::RngExt;

use super::check::{accept, in_order, share, whole};
use super::parameter::Parameter;
use super::size::{GenerateError, reserve};
use crate::{Instance, Rng, Seed};

/// What times go with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorrelatedBy {
    /// Their job: it takes about as long on all machines.
    Job,
    /// Their machine: all jobs take about as long on it.
    Machine,
    /// Both: machines as before, and a job that is long on one is long on all.
    Both,
}

/// Whole times around the middle of their job or machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlated {
    /// What times go with.
    pub by: CorrelatedBy,
    /// The least time.
    pub low: u32,
    /// The greatest time.
    pub high: u32,
    /// The share of the range from `low` to `high` that the middles lie in: with 0 they are all the same.
    pub alpha: f64,
    /// The times of a job or machine are at most so far from its middle; how far is drawn, from 1 on.
    pub half_width: u32,
    /// Only for [`CorrelatedBy::Both`]: how far a time may be from what the job's rank says.
    pub noise: u32,
}

impl Correlated {
    /// The authors' defaults: times from 1 to 99, middles in half of that range, at most 5 away from it, and no noise.
    pub fn new(by: CorrelatedBy) -> Self {
        Self { by, low: 1, high: 99, alpha: 0.5, half_width: 5, noise: 0 }
    }

    /// The word for the kind of correlation.
    pub(super) fn as_str(self) -> &'static str {
        match self.by {
            CorrelatedBy::Job => "job-correlated",
            CorrelatedBy::Machine => "machine-correlated",
            CorrelatedBy::Both => "mixed-correlated",
        }
    }

    pub(super) fn get(self, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Alpha => Some(self.alpha),
            Parameter::HalfWidth => Some(self.half_width.into()),
            Parameter::Noise if self.by == CorrelatedBy::Both => Some(self.noise.into()),
            _ => None,
        }
    }

    pub(super) fn set(&mut self, parameter: Parameter, value: f64) -> Result<(), GenerateError> {
        match parameter {
            Parameter::Alpha => self.alpha = value,
            Parameter::HalfWidth => self.half_width = whole(parameter, value)?,
            Parameter::Noise => self.noise = whole(parameter, value)?,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn validate(self) -> Result<(), GenerateError> {
        in_order(self.low, self.high)?;
        share("alpha", self.alpha)?;
        accept(self.half_width > 0, "half-width", self.half_width, "at least 1")
    }

    /// An instance of `(jobs, machines)`.
    ///
    /// # Errors
    /// [`GenerateError`] when a parameter is out of range or the size is not that of an instance.
    pub fn generate(self, size: (usize, usize), seed: Seed) -> Result<Instance<u32>, GenerateError> {
        self.validate()?;
        let (num_jobs, num_machines) = size;
        let mut times = reserve(num_jobs, num_machines)?;
        // Without jobs, any number of machines would be gone through for nothing.
        if num_jobs > 0 {
            let groups = if self.by == CorrelatedBy::Job { num_jobs } else { num_machines };
            let groups = self.groups(groups, seed);
            let mut ranks = seed.stream("ranks");
            let mut rng = seed.stream("times");
            for job in 0..num_jobs {
                let rank: f64 = ranks.random();
                for machine in 0..num_machines {
                    let group = &groups[if self.by == CorrelatedBy::Job { job } else { machine }];
                    times.push(self.clip(match self.by {
                        CorrelatedBy::Both => {
                            group.of_rank(rank) + between(-i64::from(self.noise), self.noise, &mut rng)
                        }
                        CorrelatedBy::Job | CorrelatedBy::Machine => {
                            group.middle + between(-group.half, group.half, &mut rng)
                        }
                    }));
                }
            }
        }
        let name = format!("{}_{num_jobs}x{num_machines}", self.as_str());
        Ok(Instance::new(name, num_machines, times)?)
    }

    /// Where the times of so many jobs or machines lie: the middles in a part of the range that is drawn once.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a share of the range, which has 32 bits"
    )]
    fn groups(self, count: usize, seed: Seed) -> Vec<Group> {
        let (low, high) = (i64::from(self.low), i64::from(self.high));
        let spread = (self.alpha * (high - low) as f64).round() as i64;
        let mut middles = seed.stream("middles");
        let mut widths = seed.stream("widths");
        let first = between(low, high - spread, &mut middles);
        (0..count)
            .map(|_| Group {
                middle: between(first, first + spread, &mut middles),
                half: between(1, self.half_width, &mut widths),
            })
            .collect()
    }

    fn clip(self, time: i64) -> u32 {
        let within = time.clamp(self.low.into(), self.high.into());
        u32::try_from(within).unwrap_or(self.high)
    }
}

/// A whole number, both ends included.
fn between(low: i64, high: impl Into<i64>, rng: &mut Rng) -> i64 {
    rng.random_range(low..=high.into())
}

/// The times of one job or machine.
struct Group {
    middle: i64,
    half: i64,
}

impl Group {
    /// The time at a place between the least (0) and the greatest (1).
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a share of a range that has 32 bits"
    )]
    fn of_rank(&self, rank: f64) -> i64 {
        self.middle - self.half + (rank * (2 * self.half) as f64).round() as i64
    }
}
