//! An instance, and how it is solved on one thread.

use std::time::{Duration, Instant};

use pfss_core::{CancelFlag, Limits, Run, Seed, SolveError};
use pfss_neural::{Finish, ModelError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::made::{Course, Made};
use super::model::PortableModel;
use super::portable::PortableProblem;
use super::solvable::Solvable;
use crate::algorithm::BuildError;
use crate::building::{Building, BuildingError};
use crate::models::LoadedPolicy;
use crate::settings::Settings;

/// An instance, how it is solved on one thread, and until when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    problem: PortableProblem,
    method: Method,
    seed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Method {
    /// An algorithm that every process knows by name.
    Algorithm {
        name: String,
        settings: Settings,
        time_s: Option<f64>,
        evaluations: Option<u64>,
        memory: Option<usize>,
    },
    /// What a policy builds.
    Policy { model: PortableModel, finish: Option<Finish>, building: Building },
}

/// Why a piece could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PieceError {
    /// The instance is none.
    #[error("{0}")]
    Instance(String),
    /// The problem is unknown here.
    #[error("this process knows nothing of `{0}`; start the same program everywhere")]
    Problem(String),
    /// The algorithm or one of its settings is unknown here.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The algorithm gave no answer.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The model did not come here, which is a defect worth reporting.
    #[error("the model `{0}` did not reach this process; please report this")]
    NoModel(String),
    /// The model cannot be read.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The policy built no order.
    #[error(transparent)]
    Building(#[from] BuildingError),
}

impl Piece {
    /// An instance to be solved by an algorithm of this name.
    pub fn new(
        problem: impl Into<PortableProblem>,
        algorithm: &str,
        settings: &Settings,
        seed: Seed,
    ) -> Self {
        let (name, settings) = (algorithm.to_string(), settings.clone());
        let method = Method::Algorithm { name, settings, time_s: None, evaluations: None, memory: None };
        Self { problem: problem.into(), method, seed: seed.number() }
    }

    /// An instance for which a policy builds orders; `finish` says how it orders the last jobs, where not as usual.
    pub fn of_policy(
        problem: impl Into<PortableProblem>,
        model: &PortableModel,
        finish: Option<Finish>,
        building: Building,
        seed: Seed,
    ) -> Self {
        let method = Method::Policy { model: model.clone(), finish, building };
        Self { problem: problem.into(), method, seed: seed.number() }
    }

    /// The same with limits of time and evaluations, which a policy does not know.
    #[must_use]
    pub fn with_limits<T>(mut self, limits: &Limits<T>) -> Self {
        if let Method::Algorithm { time_s, evaluations, .. } = &mut self.method {
            *time_s = limits.time.map(|time| time.as_secs_f64());
            *evaluations = limits.evaluations;
        }
        self
    }

    /// The same with so many bytes for the search.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        if let Method::Algorithm { memory, .. } = &mut self.method {
            *memory = Some(bytes);
        }
        self
    }

    /// The model that it needs.
    pub fn model(&self) -> Option<&PortableModel> {
        match &self.method {
            Method::Policy { model, .. } => Some(model),
            Method::Algorithm { .. } => None,
        }
    }

    /// What is to be solved.
    pub(super) fn problem(&self) -> &PortableProblem {
        &self.problem
    }

    /// Solves its instance, which is `problem`, on this thread; `policy` is its model, where it has one.
    ///
    /// # Errors
    /// [`PieceError`] tells why there is no answer.
    pub fn solve<P: Solvable>(
        &self,
        problem: &P,
        policy: Option<LoadedPolicy>,
        cancel: &CancelFlag,
    ) -> Result<Made, PieceError> {
        let seed = Seed::new(self.seed);
        match &self.method {
            Method::Algorithm { name, settings, time_s, evaluations, memory } => {
                let solver = problem.own_solver(name, settings)?;
                let time = time_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let limits = Limits { time, evaluations: *evaluations, ..Limits::default() };
                let course = Course::default();
                let mut run = Run::new(seed, limits).with_cancel(cancel.clone()).with_observer(&course);
                if let Some(memory) = memory {
                    run = run.with_memory(*memory);
                }
                let outcome = solver.solve(problem, &run)?;
                drop(run);
                Ok(Made::found(problem, &outcome, course))
            }
            Method::Policy { model, finish, building } => {
                let mut policy = policy.ok_or_else(|| PieceError::NoModel(model.key().to_string()))?;
                if let Some(finish) = finish {
                    policy = policy.with_finish(*finish);
                }
                // Reading the model does not count, computing costs does.
                let clock = Instant::now();
                let built = policy
                    .on_threads(1, || problem.build(*building, &policy, seed, &|| !cancel.is_cancelled()))?;
                Ok(Made::built(problem, built, clock.elapsed().as_secs_f64()))
            }
        }
    }
}
