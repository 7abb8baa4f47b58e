//! One run: solve, check, measure.

use pfss_core::{
    CancelFlag, CheckError, Instance, JobId, Run, Seed, SolveError, Solver, Status, Time, check,
};
use pfss_io::AnyInstance;
use thiserror::Error;

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
    /// The algorithm panicked.
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

/// What was measured in one run.
struct Measured {
    order: Vec<JobId>,
    makespan: f64,
    bound: f64,
    status: Status,
    evaluations: u64,
    runtime_s: f64,
    primal_integral: Option<f64>,
}

/// Runs a contender on an instance with one thread.
pub(crate) fn execute(
    instance: &BenchInstance,
    contender: &Contender,
    seed: u64,
    limit: &RunLimit,
    memory: usize,
    cancel: &CancelFlag,
    provenance: &Provenance,
) -> Result<Row, RunFailure> {
    let best_known = instance.best_known();
    let measured = match instance.instance() {
        AnyInstance::Integer(times) => {
            measure(times, contender.integer(), seed, limit, memory, cancel, best_known)?
        }
        AnyInstance::Real(times) => {
            measure(times, contender.real(), seed, limit, memory, cancel, best_known)?
        }
    };
    let (status, stop_reason) = match measured.status {
        Status::Optimal => ("optimal", "optimal"),
        Status::Feasible(reason) => ("feasible", reason.as_str()),
    };
    let is_new_best = best_known.is_some_and(|best| measured.makespan < best);
    Ok(Row {
        instance: instance.name().to_string(),
        group: instance.group(),
        num_jobs: instance.num_jobs(),
        num_machines: instance.num_machines(),
        algorithm: contender.name().to_string(),
        config: contender.config().to_string(),
        seed,
        limit: limit.to_string(),
        makespan: measured.makespan,
        best_known,
        rpd: best_known.filter(|&best| best > 0.0).map(|best| (measured.makespan - best) / best * 100.0),
        bound: measured.bound,
        status: status.to_string(),
        stop_reason: stop_reason.to_string(),
        runtime_s: measured.runtime_s,
        evaluations: measured.evaluations,
        primal_integral: measured.primal_integral,
        version: provenance.version.clone(),
        commit: provenance.commit.clone(),
        cpu: provenance.cpu.clone(),
        order: if is_new_best { order_text(&measured.order) } else { String::new() },
    })
}

fn measure<T: Time>(
    instance: &Instance<T>,
    solver: &dyn Solver<Instance<T>>,
    seed: u64,
    limit: &RunLimit,
    memory: usize,
    cancel: &CancelFlag,
    best_known: Option<f64>,
) -> Result<Measured, RunFailure> {
    let trace = Trace::default();
    let limits = limit.limits(instance.num_jobs(), instance.num_machines());
    let run = Run::new(Seed::new(seed), limits)
        .with_memory(memory)
        .with_cancel(cancel.clone())
        .with_observer(&trace);
    let outcome = solver.solve(instance, &run)?;
    let makespan = check(instance, outcome.order.as_slice(), Some(outcome.cost))?;
    // Without a time limit the budget of evaluations is the clock, so that the integral is reproducible.
    let integral = best_known.and_then(|best| match (limits.time, limits.evaluations) {
        (Some(time), _) => primal_integral(&trace.by_time(), best, time.as_secs_f64()),
        (None, Some(evaluations)) => primal_integral(&trace.by_evaluations(), best, evaluations as f64),
        (None, None) => None,
    });
    Ok(Measured {
        makespan: makespan.to_f64(),
        bound: outcome.bound.to_f64(),
        status: outcome.status,
        evaluations: outcome.evaluations,
        runtime_s: (outcome.runtime.as_secs_f64() * 1e6).round() / 1e6,
        primal_integral: integral,
        order: outcome.order.as_slice().to_vec(),
    })
}

fn order_text(order: &[JobId]) -> String {
    order.iter().map(JobId::to_string).collect::<Vec<_>>().join(" ")
}
