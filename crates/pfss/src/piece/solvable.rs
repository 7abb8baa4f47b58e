//! Problems that processes solve for each other.

use pfss_core::timing::{self, Line, Score};
use pfss_core::{Instance, JobId, Permutation, PermutationProblem, Seed, Solver, Time};

use crate::algorithm::{BuildError, ShopTime};
use crate::building::{Building, BuildingError, Built};
use crate::built_in::algorithm;
use crate::models::LoadedPolicy;
use crate::settings::Settings;

/// A problem whose algorithms every process knows by name.
pub trait Solvable: PermutationProblem + Sized {
    /// The algorithm of this name.
    ///
    /// # Errors
    /// [`BuildError`] names what is unknown or out of range.
    fn solver(name: &str, settings: &Settings) -> Result<Box<dyn Solver<Self>>, BuildError>;

    /// The algorithm of this name for this instance; some instances have other ones.
    ///
    /// # Errors
    /// See [`Solvable::solver`].
    fn own_solver(&self, name: &str, settings: &Settings) -> Result<Box<dyn Solver<Self>>, BuildError> {
        Self::solver(name, settings)
    }

    /// The best order that a policy builds as long as `goes_on`.
    ///
    /// # Errors
    /// [`BuildingError`] tells why there is none.
    fn build(
        &self,
        building: Building,
        policy: &LoadedPolicy,
        seed: Seed,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Built<Self::Cost>, BuildingError>;

    /// What an order costs by the plain definition, where it costs what is `claimed` of it.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the order.
    fn check(&self, order: &[JobId], claimed: Option<f64>) -> Result<Self::Cost, String> {
        let order = Permutation::new(order.to_vec(), self.len()).map_err(|error| error.to_string())?;
        let cost = self.cost(&order);
        match claimed.filter(|&claimed| claimed != cost.to_f64()) {
            None => Ok(cost),
            Some(claimed) => Err(format!("it costs {cost}, not {claimed}")),
        }
    }

    /// A cost as a person reads it.
    fn value(&self, cost: Self::Cost) -> f64 {
        cost.to_f64()
    }
}

impl<T: ShopTime> Solvable for Instance<T> {
    fn solver(name: &str, settings: &Settings) -> Result<Box<dyn Solver<Self>>, BuildError> {
        T::build(algorithm(name)?, settings)
    }

    fn build(
        &self,
        building: Building,
        policy: &LoadedPolicy,
        seed: Seed,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Built<T>, BuildingError> {
        building.order_while(policy, self, seed, goes_on)
    }

    fn check(&self, order: &[JobId], claimed: Option<f64>) -> Result<T, String> {
        pfss_core::check(self, order, claimed.map(T::from_f64_floor)).map_err(|error| error.to_string())
    }
}

impl Solvable for Line {
    fn solver(name: &str, settings: &Settings) -> Result<Box<dyn Solver<Self>>, BuildError> {
        crate::planner::algorithm(name)?.build(settings)
    }

    fn own_solver(&self, name: &str, settings: &Settings) -> Result<Box<dyn Solver<Self>>, BuildError> {
        crate::planner::algorithm_of(self, name)?.build(settings)
    }

    /// Policies know times only.
    fn build(
        &self,
        _: Building,
        _: &LoadedPolicy,
        _: Seed,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<Built<Score>, BuildingError> {
        Err(BuildingError::TimesOnly)
    }

    fn check(&self, order: &[JobId], claimed: Option<f64>) -> Result<Score, String> {
        let cost = timing::check(self, order, None).map_err(|error| error.to_string())?;
        match claimed.filter(|&claimed| claimed != cost.to_f64()) {
            None => Ok(cost),
            Some(claimed) => Err(format!("its score is {cost}, not {claimed}")),
        }
    }

    fn value(&self, cost: Score) -> f64 {
        Line::value(self, cost)
    }
}
