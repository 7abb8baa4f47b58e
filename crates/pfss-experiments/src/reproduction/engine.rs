//! A method that is ready to run on one instance after the other.

use std::time::Instant;

use pfss::{
    Building, BuildingError, FlowShopSolver, HandError, LoadedPolicy, Made, Piece, PortableModel,
    PortableProblem,
};
use pfss_core::{
    CancelFlag, CheckError, Instance, Limits, Run, Seed, SolveError, Solver, Status, Time, check,
};
use pfss_io::AnyInstance;
use serde_json::{Value, json};
use thiserror::Error;

use super::group::Group;
use super::instances::PlanInstance;
use super::method::Method;
use super::model::{Models, NO_MODEL};
use super::plain_neh::PlainNeh;
use super::plan::Problem;
use super::settings::policy_settings;
use crate::Panicked;

/// What runs on an instance.
pub(super) enum Engine {
    FlowShop {
        integer: FlowShopSolver<u32>,
        real: FlowShopSolver<f64>,
    },
    #[cfg(feature = "tsp")]
    Tour(pfss_tsp::TspSolver),
    Policy {
        policy: Box<LoadedPolicy>,
        /// The same for other processes.
        portable: PortableModel,
        building: Building,
    },
    LowerBound,
}

/// A method for one group: what runs, and every setting that its numbers depend on.
pub(super) struct BuiltMethod {
    pub(super) engine: Engine,
    pub(super) config: Value,
}

/// What one run gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunResult {
    pub(super) cost: f64,
    pub(super) bound: f64,
    pub(super) proven: bool,
    pub(super) seconds: f64,
    pub(super) evaluations: u64,
}

/// Why a run gave nothing.
#[derive(Debug, Error)]
pub(super) enum EngineError {
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    Policy(#[from] BuildingError),
    #[error("the answer is wrong: {0}; please report this")]
    Wrong(#[from] CheckError),
    #[cfg(feature = "tsp")]
    #[error("{0} is for another problem")]
    OtherProblem(&'static str),
    #[error(transparent)]
    Panicked(#[from] Panicked),
    #[error(transparent)]
    Elsewhere(#[from] HandError),
}

/// Why a method has no numbers in a group.
pub(super) enum NotBuilt {
    /// Something that it needs is not there: a model, or the time of another method.
    Missing(String),
    /// The plan or the model is wrong.
    Failed(String),
}

impl BuiltMethod {
    /// The method for the instances of a group; `training` is what tells a model from those of other seeds.
    pub(super) fn new(
        method: &Method,
        training: &str,
        group: &Group,
        problem: Problem,
        models: &Models,
    ) -> Result<Self, NotBuilt> {
        let fail = |error: &dyn std::fmt::Display| NotBuilt::Failed(error.to_string());
        match (method.algorithm.as_str(), problem) {
            ("lower-bound", Problem::FlowShop) => Ok(Self { engine: Engine::LowerBound, config: json!({}) }),
            ("paper-neh-plain", Problem::FlowShop) => {
                let engine = Engine::FlowShop { integer: Box::new(PlainNeh), real: Box::new(PlainNeh) };
                Ok(Self { engine, config: json!({}) })
            }
            ("policy", _) => Self::policy(method, training, group, problem, models),
            (name, Problem::FlowShop) => {
                let algorithm = pfss::algorithm(name).map_err(|error| match error {
                    pfss::BuildError::NotBuilt { name, .. } => {
                        NotBuilt::Missing(format!("this program was built without `{name}`"))
                    }
                    error => fail(&error),
                })?;
                let config = algorithm.config(&method.settings).map_err(|error| fail(&error))?;
                let integer = algorithm.integer(&method.settings).map_err(|error| fail(&error))?;
                let real = algorithm.real(&method.settings).map_err(|error| fail(&error))?;
                Ok(Self { engine: Engine::FlowShop { integer, real }, config: config.into() })
            }
            #[cfg(not(feature = "tsp"))]
            (_, Problem::Tsp) => Err(NotBuilt::Missing("this program was built without tours".to_string())),
            #[cfg(feature = "tsp")]
            (name, Problem::Tsp) => {
                let algorithm = pfss_tsp::tsp_algorithm(name).map_err(|error| fail(&error))?;
                let config = algorithm.config(&method.settings).map_err(|error| fail(&error))?;
                let solver = algorithm.build(&method.settings).map_err(|error| fail(&error))?;
                Ok(Self { engine: Engine::Tour(solver), config: config.into() })
            }
        }
    }

    fn policy(
        method: &Method,
        training: &str,
        group: &Group,
        problem: Problem,
        models: &Models,
    ) -> Result<Self, NotBuilt> {
        let name = group.fill(&method.model) + training;
        let found = models.find(&name).map_err(NotBuilt::Failed)?;
        let found = found.ok_or_else(|| NotBuilt::Missing(format!("{NO_MODEL}{name}")))?;
        let failed = |reason: String| NotBuilt::Failed(format!("{}: {reason}", method.id));
        let settings = policy_settings(method, problem).map_err(failed)?;
        let policy = settings.finished(found.policy, &name).map_err(|error| failed(error.to_string()))?;
        let building = settings.building();
        let mut config = json!({
            "model": name,
            "fingerprint": found.fingerprint,
            "decoding": format!("{:?}", building.decoding),
            "reverse": building.reverse,
        });
        if let LoadedPolicy::Front(policy) = &policy {
            config["finish"] = format!("{:?}", policy.finish()).into();
        }
        let engine = Engine::Policy { policy: Box::new(policy), portable: found.portable, building };
        Ok(Self { engine, config })
    }
}

impl Engine {
    /// Runs on one instance with one thread.
    pub(super) fn run(
        &self,
        instance: &PlanInstance,
        seed: Seed,
        limits: Limits<f64>,
        cancel: &CancelFlag,
    ) -> Result<RunResult, EngineError> {
        match (self, instance) {
            (Self::FlowShop { integer, .. }, PlanInstance::FlowShop(AnyInstance::Integer(shop))) => {
                solve_shop(&**integer, shop, seed, limits, cancel)
            }
            (Self::FlowShop { real, .. }, PlanInstance::FlowShop(AnyInstance::Real(shop))) => {
                solve_shop(&**real, shop, seed, limits, cancel)
            }
            #[cfg(feature = "tsp")]
            (Self::Tour(solver), PlanInstance::Tour(map)) => {
                let run = Run::new(seed, limits).with_cancel(cancel.clone());
                let outcome = solver.solve(map, &run)?;
                Ok(RunResult {
                    cost: pfss_core::check_order(map, &outcome.order, Some(outcome.cost))?,
                    bound: outcome.bound,
                    proven: outcome.status == Status::Optimal,
                    seconds: outcome.runtime.as_secs_f64(),
                    evaluations: outcome.evaluations,
                })
            }
            (Self::LowerBound, PlanInstance::FlowShop(any)) => {
                let clock = Instant::now();
                let bound = pfss_io::match_instance!(any, shop => pfss_core::lower_bound(shop).to_f64());
                let seconds = clock.elapsed().as_secs_f64();
                Ok(RunResult { cost: bound, bound, proven: false, seconds, evaluations: 0 })
            }
            // Loading the model does not count, computing costs does.
            (Self::Policy { policy, building, .. }, PlanInstance::FlowShop(any)) => {
                let clock = Instant::now();
                let (cost, count) = pfss_io::match_instance!(any, shop => {
                    let built = building.order(policy, shop, seed)?;
                    (built.cost.to_f64(), built.count)
                });
                Ok(built(cost, clock, count))
            }
            #[cfg(feature = "tsp")]
            (Self::Policy { policy, building, .. }, PlanInstance::Tour(map)) => {
                let clock = Instant::now();
                let tour = building.order_of(policy, map, seed)?;
                Ok(built(tour.cost, clock, tour.count))
            }
            #[cfg(feature = "tsp")]
            (Self::FlowShop { .. } | Self::LowerBound, PlanInstance::Tour(_)) => {
                Err(EngineError::OtherProblem("a method for flow shops"))
            }
            #[cfg(feature = "tsp")]
            (Self::Tour(_), PlanInstance::FlowShop(_)) => {
                Err(EngineError::OtherProblem("a method for tours"))
            }
        }
    }
}

impl BuiltMethod {
    /// The run on an instance as a piece that somebody else makes; `None` where only this process can make it.
    pub(super) fn piece(&self, method: &Method, instance: &PlanInstance, seed: Seed) -> Option<Piece> {
        let problem = match instance {
            PlanInstance::FlowShop(any) => PortableProblem::Shop(any.into()),
            #[cfg(feature = "tsp")]
            PlanInstance::Tour(map) => map.into(),
        };
        match &self.engine {
            Engine::FlowShop { .. } => {
                pfss::algorithm(&method.algorithm).ok()?;
                Some(Piece::new(problem, &method.algorithm, &method.settings, seed))
            }
            #[cfg(feature = "tsp")]
            Engine::Tour(_) => Some(Piece::new(problem, &method.algorithm, &method.settings, seed)),
            Engine::Policy { policy, portable, building } => {
                let finish = match &**policy {
                    LoadedPolicy::Front(policy) => Some(policy.finish()),
                    LoadedPolicy::Network(_) => None,
                };
                Some(Piece::of_policy(problem, portable, finish, *building, seed))
            }
            Engine::LowerBound => None,
        }
    }
}

/// What somebody else made of an instance, checked.
pub(super) fn result_from_elsewhere(instance: &PlanInstance, made: Made) -> Result<RunResult, EngineError> {
    let cost = match instance {
        PlanInstance::FlowShop(any) => pfss_io::match_instance!(any, shop => {
            check(shop, &made.order, Some(Time::from_f64_floor(made.cost)))?.to_f64()
        }),
        #[cfg(feature = "tsp")]
        PlanInstance::Tour(map) => pfss_core::check_order(map, &made.order, Some(made.cost))?,
    };
    Ok(RunResult {
        cost,
        bound: made.bound,
        proven: made.is_optimal,
        seconds: made.runtime_s,
        evaluations: made.evaluations,
    })
}

fn solve_shop<T: Time>(
    solver: &dyn Solver<Instance<T>>,
    shop: &Instance<T>,
    seed: Seed,
    limits: Limits<f64>,
    cancel: &CancelFlag,
) -> Result<RunResult, EngineError> {
    let limits = Limits { time: limits.time, evaluations: limits.evaluations, ..Limits::default() };
    let run = Run::new(seed, limits).with_cancel(cancel.clone());
    let outcome = solver.solve(shop, &run)?;
    let cost = check(shop, outcome.order.as_slice(), Some(outcome.cost))?;
    Ok(RunResult {
        cost: cost.to_f64(),
        bound: outcome.bound.to_f64(),
        proven: outcome.status == Status::Optimal,
        seconds: outcome.runtime.as_secs_f64(),
        evaluations: outcome.evaluations,
    })
}

fn built(cost: f64, clock: Instant, count: usize) -> RunResult {
    RunResult {
        cost,
        bound: 0.0,
        proven: false,
        seconds: clock.elapsed().as_secs_f64(),
        evaluations: count as u64,
    }
}
