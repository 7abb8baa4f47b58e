//! One run: solve, check, measure.

use pfss::{HandError, Hands, Made, Piece, Settings};
use pfss_core::timing::{self, Line, PlanError, Score};
use pfss_core::{
    CancelFlag, CheckError, Instance, JobId, Limits, Outcome, Run, Seed, SolveError, Solver, Status, Time,
    check,
};
use pfss_io::{AnyInstance, match_instance};
use thiserror::Error;

use crate::contender::Solvers;
use crate::pool::Panicked;
use crate::{BenchInstance, Contender, Provenance, Row, RunLimit, Trace, primal_integral};

/// Why a run gave no row.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// The algorithm cannot treat the instance.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The algorithm's answer is wrong: a defect worth reporting.
    #[error("the answer is wrong: {0}; please report this")]
    Wrong(#[from] CheckError),
    /// The algorithm's plan is wrong: a defect worth reporting.
    #[error("the answer is wrong: {0}; please report this")]
    WrongPlan(#[from] PlanError),
    /// The algorithm is made for another kind of instances.
    #[error("this algorithm was not made for {0}")]
    Kind(&'static str),
    /// The algorithm panicked.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// It was not made elsewhere.
    #[error(transparent)]
    Elsewhere(#[from] HandError),
}

/// What was measured in one run.
struct Measured {
    order: Vec<JobId>,
    /// The makespan, or the value that was minimised.
    makespan: f64,
    bound: f64,
    status: &'static str,
    stop_reason: String,
    evaluations: u64,
    runtime_s: f64,
    primal_integral: Option<f64>,
}

/// What a run is made of.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    pub(crate) instance: &'a BenchInstance,
    /// Its fingerprint.
    pub(crate) instance_hash: &'a str,
    pub(crate) contender: &'a Contender,
    pub(crate) seed: u64,
    pub(crate) limit: &'a RunLimit,
    pub(crate) memory: usize,
    pub(crate) provenance: &'a Provenance,
}

/// Runs a contender on an instance with one thread.
pub(crate) fn execute(order: Order<'_>, cancel: &CancelFlag) -> Result<Row, RunFailure> {
    let Order { instance, contender, seed, limit, memory, .. } = order;
    let best_known = instance.best_known();
    let setting = Setting { seed, limit, memory, cancel, best_known };
    let measured = match (instance.line(), instance.instance(), contender.solvers()) {
        (Some(line), _, Solvers::Lines(solver)) => setting.measure_line(line, solver.as_ref())?,
        (None, AnyInstance::Integer(times), Solvers::Shops(solver, _)) => {
            setting.measure(times, solver.as_ref())?
        }
        (None, AnyInstance::Real(times), Solvers::Shops(_, solver)) => {
            setting.measure(times, solver.as_ref())?
        }
        (Some(_), ..) => return Err(RunFailure::Kind("jobs and machines that carry more than times")),
        (None, ..) => return Err(RunFailure::Kind("jobs with times only")),
    };
    Ok(row(order, measured))
}

/// Has one of the hands run a contender on an instance.
pub(crate) fn execute_elsewhere(order: Order<'_>, hands: &dyn Hands, hand: usize) -> Result<Row, RunFailure> {
    let Order { instance, contender, seed, limit, memory, .. } = order;
    let settings = Settings::from_json(contender.config());
    let settings = settings.map_err(|error| HandError(error.to_string()))?;
    let limits = limit.limits::<f64>(instance.num_jobs(), instance.num_machines());
    let piece = Piece::new(instance.portable(), contender.name(), &settings, Seed::new(seed));
    let made = hands.make(hand, &piece.with_limits(&limits).with_memory(memory))?;
    let Made { order: jobs, cost, bound, is_optimal, stop_reason, evaluations, runtime_s, course } = made;
    let cost = match instance.line() {
        Some(line) => {
            let value = line.value(timing::check(line, &jobs, None)?);
            if value != cost {
                let (actual, claimed) = (value.to_string(), cost.to_string());
                return Err(CheckError::Cost { actual, claimed }.into());
            }
            value
        }
        None => match_instance!(instance.instance(), times => {
            check(times, &jobs, Some(Time::from_f64_floor(cost)))?.to_f64()
        }),
    };
    let by_time: Vec<(f64, f64)> = course.iter().map(|point| (point.0, point.2)).collect();
    let by_evaluations: Vec<(f64, f64)> = course.iter().map(|point| (point.1 as f64, point.2)).collect();
    let measured = Measured {
        order: jobs,
        makespan: cost,
        bound: bound.min(cost),
        status: if is_optimal { "optimal" } else { "feasible" },
        stop_reason,
        evaluations,
        runtime_s: rounded(runtime_s),
        primal_integral: integral(&limits, instance.best_known(), || by_time, || by_evaluations),
    };
    Ok(row(order, measured))
}

fn row(order: Order<'_>, measured: Measured) -> Row {
    let Order { instance, instance_hash, contender, seed, limit, provenance, .. } = order;
    let mut row = Row {
        instance: instance.name().to_string(),
        group: instance.group(),
        num_jobs: instance.num_jobs(),
        num_machines: instance.num_machines(),
        algorithm: contender.name().to_string(),
        config: contender.config().to_string(),
        seed,
        limit: limit.to_string(),
        makespan: measured.makespan,
        best_known: instance.best_known(),
        rpd: None,
        bound: measured.bound,
        status: measured.status.to_string(),
        stop_reason: measured.stop_reason,
        runtime_s: measured.runtime_s,
        evaluations: measured.evaluations,
        primal_integral: measured.primal_integral,
        version: provenance.version.clone(),
        commit: provenance.commit.clone(),
        cpu: provenance.cpu.clone(),
        order: String::new(),
        instance_hash: instance_hash.to_string(),
    };
    row.rpd = row.expected_rpd();
    if row.improves_best_known() {
        row.order = order_text(&measured.order);
    }
    row
}

/// Microseconds are as exact as clocks are.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// The primal integral by the clock; without a time limit the budget of evaluations is the clock, so that it is reproducible.
fn integral<T>(
    limits: &Limits<T>,
    best_known: Option<f64>,
    by_time: impl FnOnce() -> Vec<(f64, f64)>,
    by_evaluations: impl FnOnce() -> Vec<(f64, f64)>,
) -> Option<f64> {
    best_known.and_then(|best| match (limits.time, limits.evaluations) {
        (Some(time), _) => primal_integral(&by_time(), best, time.as_secs_f64()),
        (None, Some(evaluations)) => primal_integral(&by_evaluations(), best, evaluations as f64),
        (None, None) => None,
    })
}

/// What all runs of a bench have in common, and what is known of the instance.
struct Setting<'a> {
    seed: u64,
    limit: &'a RunLimit,
    memory: usize,
    cancel: &'a CancelFlag,
    best_known: Option<f64>,
}

impl Setting<'_> {
    fn measure<T: Time>(
        &self,
        instance: &Instance<T>,
        solver: &dyn Solver<Instance<T>>,
    ) -> Result<Measured, RunFailure> {
        let limits = self.limit.limits(instance.num_jobs(), instance.num_machines());
        let trace = Trace::default();
        let outcome = solver.solve(instance, &self.run(limits).with_observer(&trace))?;
        let makespan = check(instance, outcome.order.as_slice(), Some(outcome.cost))?;
        let bound = outcome.bound.to_f64();
        Ok(self.measured(
            &outcome,
            makespan.to_f64(),
            bound,
            &limits,
            trace.by_time(),
            trace.by_evaluations(),
        ))
    }

    fn measure_line(&self, line: &Line, solver: &dyn Solver<Line>) -> Result<Measured, RunFailure> {
        let limits = self.limit.limits(line.num_jobs(), line.num_machines());
        let trace = Trace::default();
        let outcome = solver.solve(line, &self.run(limits).with_observer(&trace))?;
        let score = timing::check(line, outcome.order.as_slice(), Some(outcome.cost))?;
        // A trace holds scores, which are whole numbers below 2^63.
        let values = |points: Vec<(f64, f64)>| -> Vec<(f64, f64)> {
            points.into_iter().map(|(moment, score)| (moment, line.value(Score(score as u64)))).collect()
        };
        let bound = line.value(outcome.bound).min(line.value(score));
        let (by_time, by_evaluations) = (values(trace.by_time()), values(trace.by_evaluations()));
        Ok(self.measured(&outcome, line.value(score), bound, &limits, by_time, by_evaluations))
    }

    fn run<'r, T: Time>(&self, limits: Limits<T>) -> Run<'r, T> {
        Run::new(Seed::new(self.seed), limits).with_memory(self.memory).with_cancel(self.cancel.clone())
    }

    fn measured<T: Time>(
        &self,
        outcome: &Outcome<T>,
        makespan: f64,
        bound: f64,
        limits: &Limits<T>,
        by_time: Vec<(f64, f64)>,
        by_evaluations: Vec<(f64, f64)>,
    ) -> Measured {
        let (status, stop_reason) = match outcome.status {
            Status::Optimal => ("optimal", "optimal"),
            Status::Feasible(reason) => ("feasible", reason.as_str()),
        };
        Measured {
            makespan,
            bound,
            status,
            stop_reason: stop_reason.to_string(),
            evaluations: outcome.evaluations,
            runtime_s: rounded(outcome.runtime.as_secs_f64()),
            primal_integral: integral(limits, self.best_known, || by_time, || by_evaluations),
            order: outcome.order.as_slice().to_vec(),
        }
    }
}

fn order_text(order: &[JobId]) -> String {
    order.iter().map(JobId::to_string).collect::<Vec<_>>().join(" ")
}
