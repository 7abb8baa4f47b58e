//! One search: the algorithm by its name, within the plan's limits, its news to the task.

use std::sync::Arc;

use pfss::{Algorithm, FlowShopSolver, NoParameters, Registry, Solve};
use pfss_core::timing::{Line, Score, check};
use pfss_core::{Improvement, JobId, Limits, Observer, Permutation, RaisedBound, Run, Seed, Solver, Time};
use pfss_heuristics::PinnedSearch;
use pfss_io::{ResultRecord, entry_hash};

use crate::board::Control;
use crate::shared::Shared;
use crate::solving::PINNED_SEARCH;
use crate::task::{Found, Task, Terms};

/// Searches until a limit, a proof or `control` ends it. The error says why there is no answer.
pub(crate) fn search(
    shared: &Shared,
    task: &Arc<Task>,
    control: &Control,
    terms: Terms,
) -> Result<ResultRecord, String> {
    match task.subject.line() {
        Some(line) => search_line(shared, task, control, terms, line),
        None => search_plain(shared, task, control, terms).map_err(|error| error.to_string()),
    }
}

fn search_plain(
    shared: &Shared,
    task: &Arc<Task>,
    control: &Control,
    terms: Terms,
) -> Result<ResultRecord, pfss::Error> {
    let plan = &task.plan;
    let registry = registry(&plan.pinned);
    let mut solve = Solve::new(&task.subject.entry.instance)
        .registry(&registry)
        .algorithm(plan.solver_name())
        .settings(plan.set.clone())
        .seed(plan.seed)
        .threads(plan.threads)
        .memory(plan.memory(&shared.config))
        .cancel(control.cancel.clone())
        .on_improvement(|new| {
            task.improved(Found {
                order: new.order.to_vec(),
                value: new.cost.to_f64(),
                bound: new.bound.to_f64(),
                is_optimal: new.is_optimal,
                runtime: new.runtime,
                evaluations: new.evaluations,
            });
            shared.recorder.wake();
        })
        .on_bound(|raised| {
            task.raised(raised.bound.to_f64(), raised.is_optimal, raised.runtime);
            shared.recorder.wake();
        });
    if let Some(time) = terms.time {
        solve = solve.time_limit(time);
    }
    if let Some(evaluations) = plan.evaluations {
        solve = solve.evaluations(evaluations);
    }
    if let Some(stall) = plan.stall {
        solve = solve.stall(stall);
    }
    if let Some(target) = plan.target {
        solve = solve.target(target);
    }
    if let Some(start) = terms.start {
        solve = solve.start(start);
    }
    if let Some(bound) = task.row.known.bound {
        solve = solve.bound(bound);
    }
    Ok(solve.run()?.record().clone())
}

/// The algorithms of the library, and the one that knows pinned jobs.
fn registry(pinned: &[JobId]) -> Registry {
    fn build<T: Time>(pinned: &[JobId]) -> FlowShopSolver<T> {
        Box::new(PinnedSearch::new(pinned.to_vec()))
    }
    let (integer, real) = (pinned.to_vec(), pinned.to_vec());
    Registry::new().with(Algorithm::flow_shop(
        PINNED_SEARCH,
        "Improves an order of which some jobs keep their places",
        "Ruiz and Stützle 2007",
        move |_: NoParameters| build::<u32>(&integer),
        move |_: NoParameters| build::<f64>(&real),
    ))
}

fn search_line(
    shared: &Shared,
    task: &Arc<Task>,
    control: &Control,
    terms: Terms,
    line: &Line,
) -> Result<ResultRecord, String> {
    let plan = &task.plan;
    let solver: Box<dyn Solver<Line>> = match plan.pinned.is_empty() {
        true => {
            let algorithm =
                pfss::planner::algorithm_of(line, &plan.algorithm).map_err(|error| error.to_string())?;
            algorithm.build(&plan.set).map_err(|error| error.to_string())?
        }
        false => Box::new(PinnedSearch::new(plan.pinned.clone())),
    };
    let limits = Limits {
        time: terms.time,
        evaluations: plan.evaluations,
        stall: plan.stall,
        // A value that no order can have ends no search.
        target: plan.target.map(|value| line.score_at_most(value).unwrap_or(Score(0))),
    };
    let tell = Tell { shared, task, line };
    let mut run = Run::new(Seed::new(plan.seed), limits)
        .with_cancel(control.cancel.clone())
        .with_threads(plan.threads)
        .with_memory(plan.memory(&shared.config))
        .with_observer(&tell);
    if let Some(bound) = task.row.known.bound {
        run = run.with_bound(line.score_at_least(bound));
    }
    if let Some(start) = terms.start {
        run = run.with_start(Permutation::new(start, line.num_jobs()).map_err(|error| error.to_string())?);
    }
    let outcome = solver.solve(line, &run).map_err(|error| error.to_string())?;
    check(line, &outcome.order, Some(outcome.cost))
        .map_err(|error| format!("the answer is wrong: {error}; please report this"))?;
    let is_integer = task.subject.entry.instance.is_integer();
    let record = ResultRecord::of_plan(line, is_integer, &outcome, task.origin.clone());
    let mut record = record.map_err(|error| error.to_string())?;
    record.instance_hash = Some(entry_hash(&task.subject.entry));
    Ok(record)
}

/// Passes news of a line on, in the user's units.
struct Tell<'a> {
    shared: &'a Shared,
    task: &'a Task,
    line: &'a Line,
}

impl Observer<Score> for Tell<'_> {
    fn on_improvement(&self, new: &Improvement<'_, Score>) {
        self.task.improved(Found {
            order: new.order.to_vec(),
            value: self.line.value(new.cost),
            bound: self.line.value(new.bound),
            is_optimal: new.is_optimal,
            runtime: new.runtime,
            evaluations: new.evaluations,
        });
        self.shared.recorder.wake();
    }

    fn on_bound(&self, raised: &RaisedBound<Score>) {
        self.task.raised(self.line.value(raised.bound), raised.is_optimal, raised.runtime);
        self.shared.recorder.wake();
    }
}
