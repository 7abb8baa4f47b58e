//! An instance that somebody else solves: all that it takes, and all that came of it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pfss_core::{
    CancelFlag, Improvement, Instance, InstanceError, JobId, Limits, Observer, Run, Seed, SolveError, Status,
    Time,
};
use pfss_io::AnyInstance;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::algorithm::{BuildError, ShopTime};
use crate::built_in::algorithm;
use crate::settings::Settings;

/// An instance in a form that travels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableShop {
    name: String,
    num_machines: usize,
    times: Times,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Times {
    Integer(Vec<u32>),
    Real(Vec<f64>),
}

impl PortableShop {
    /// The instance to send.
    pub fn of<T: Time>(instance: &Instance<T>) -> Self {
        let (name, num_machines) = (instance.name().to_string(), instance.num_machines());
        let times = match T::IS_INTEGER {
            // Integer times are u32, which reals hold exactly.
            true => Times::Integer(instance.times().iter().map(|time| time.to_f64() as u32).collect()),
            false => Times::Real(instance.times().iter().map(|time| time.to_f64()).collect()),
        };
        Self { name, num_machines, times }
    }

    /// The instance that was sent.
    ///
    /// # Errors
    /// [`InstanceError`] when it is none.
    pub fn instance(&self) -> Result<AnyInstance, InstanceError> {
        let (name, machines) = (self.name.as_str(), self.num_machines);
        Ok(match &self.times {
            Times::Integer(times) => AnyInstance::Integer(Instance::new(name, machines, times.clone())?),
            Times::Real(times) => AnyInstance::Real(Instance::new(name, machines, times.clone())?),
        })
    }
}

/// An instance, how it is solved on one thread, and until when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    shop: PortableShop,
    algorithm: String,
    settings: Settings,
    seed: u64,
    time_s: Option<f64>,
    evaluations: Option<u64>,
    memory: Option<usize>,
}

/// What came of a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The best order.
    pub order: Vec<JobId>,
    /// Its cost.
    pub cost: f64,
    /// No order costs less.
    pub bound: f64,
    /// Whether it is proven optimal.
    pub is_optimal: bool,
    /// Why the run ended.
    pub stop_reason: String,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// How long it took.
    pub runtime_s: f64,
    /// Seconds, evaluations and cost of each new best order.
    pub course: Vec<(f64, u64, f64)>,
}

/// Why a piece could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PieceError {
    /// The instance is none.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The algorithm or one of its settings is unknown here.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The algorithm gave no answer.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl Piece {
    /// An instance to be solved by an algorithm of the registry.
    pub fn new<T: Time>(instance: &Instance<T>, algorithm: &str, settings: &Settings, seed: Seed) -> Self {
        Self {
            shop: PortableShop::of(instance),
            algorithm: algorithm.to_string(),
            settings: settings.clone(),
            seed: seed.number(),
            time_s: None,
            evaluations: None,
            memory: None,
        }
    }

    /// The same with limits of time and evaluations.
    #[must_use]
    pub fn with_limits<T>(self, limits: &Limits<T>) -> Self {
        let time_s = limits.time.map(|time| time.as_secs_f64());
        Self { time_s, evaluations: limits.evaluations, ..self }
    }

    /// The same with so many bytes for the search.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Makes it, on one thread.
    ///
    /// # Errors
    /// [`PieceError`] tells why there is no answer.
    pub fn make(&self, cancel: &CancelFlag) -> Result<Made, PieceError> {
        match self.shop.instance()? {
            AnyInstance::Integer(instance) => self.make_typed(&instance, cancel),
            AnyInstance::Real(instance) => self.make_typed(&instance, cancel),
        }
    }

    fn make_typed<T: ShopTime>(
        &self,
        instance: &Instance<T>,
        cancel: &CancelFlag,
    ) -> Result<Made, PieceError> {
        let solver = T::build(algorithm(&self.algorithm)?, &self.settings)?;
        let course = Course(Mutex::new(Vec::new()));
        let time = self.time_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = Limits { time, evaluations: self.evaluations, ..Limits::default() };
        let mut run =
            Run::new(Seed::new(self.seed), limits).with_cancel(cancel.clone()).with_observer(&course);
        if let Some(memory) = self.memory {
            run = run.with_memory(memory);
        }
        let outcome = solver.solve(instance, &run)?;
        let (is_optimal, stop_reason) = match outcome.status {
            Status::Optimal => (true, "optimal"),
            Status::Feasible(reason) => (false, reason.as_str()),
        };
        let course = std::mem::take(&mut *course.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Made {
            order: outcome.order.as_slice().to_vec(),
            cost: outcome.cost.to_f64(),
            bound: outcome.bound.to_f64(),
            is_optimal,
            stop_reason: stop_reason.to_string(),
            evaluations: outcome.evaluations,
            runtime_s: outcome.runtime.as_secs_f64(),
            course,
        })
    }
}

/// Collects the course of a run.
struct Course(Mutex<Vec<(f64, u64, f64)>>);

impl<T: Time> Observer<T> for Course {
    fn on_improvement(&self, new: &Improvement<'_, T>) {
        let point = (new.runtime.as_secs_f64(), new.evaluations, new.cost.to_f64());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_gives_what_a_run_gives_here() {
        let instance = pfss_core::generate::taillard_benchmark(1).unwrap();
        let settings = Settings::new().with("destruction-size", 3);
        let limits: Limits<u32> = Limits { evaluations: Some(20_000), ..Limits::default() };
        let piece = Piece::new(&instance, "iterated-greedy", &settings, Seed::new(4)).with_limits(&limits);
        let sent: Piece = serde_json::from_str(&serde_json::to_string(&piece).unwrap()).unwrap();
        assert_eq!(sent, piece);
        let made = sent.make(&CancelFlag::new()).unwrap();
        let solver = algorithm("iterated-greedy").unwrap().integer(&settings).unwrap();
        let outcome = solver.solve(&instance, &Run::new(Seed::new(4), limits)).unwrap();
        assert_eq!((made.order.as_slice(), made.cost), (outcome.order.as_slice(), f64::from(outcome.cost)));
        assert_eq!(made.evaluations, outcome.evaluations);
        assert_eq!(made.course.last().unwrap().2, made.cost);
        let unknown = Piece { algorithm: "none".to_string(), ..piece };
        assert!(matches!(unknown.make(&CancelFlag::new()), Err(PieceError::Build(_))));
    }
}
