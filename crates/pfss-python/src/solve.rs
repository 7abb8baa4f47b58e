//! Solving one instance.

use std::sync::{Arc, Mutex, PoisonError};

use pfss::ShopTime;
use pfss_core::timing::{Line, Score, Timetable, check as check_plan};
use pfss_core::{CancelFlag, Instance, Run, check};
use pfss_io::{Entry, ResultRecord, TimeValue, entry_hash, instance_hash, match_instance};
use pyo3::prelude::*;

use crate::entry::NativeInstance;
use crate::error::Fault;
use crate::news::{Ear, Listener, TraceRow};
use crate::problem::Problem;
use crate::request::{Request, Wishes};
use crate::solution::NativeSolution;
use crate::watched::Call;

/// Solves an instance; see `pfss.solve`.
#[pyfunction]
#[pyo3(signature = (instance, wishes, on_improvement, tick, is_main))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    instance: &NativeInstance,
    wishes: Wishes<'py>,
    on_improvement: Option<Bound<'py, PyAny>>,
    tick: Option<Bound<'py, PyAny>>,
    is_main: bool,
) -> PyResult<NativeSolution> {
    let own = match wishes.objectives()? {
        Some(objectives) => instance.problem().with_objectives(&objectives)?.map(Arc::new),
        None => None,
    };
    let problem = own.unwrap_or_else(|| Arc::clone(instance.problem()));
    let request = wishes.request(&problem)?;
    let cancel = CancelFlag::new();
    // Handing such work to another thread would take longer than doing it.
    let is_main = is_main && !request.is_brief(&problem);
    let call = Call {
        cancel: cancel.clone(),
        on_improvement,
        tick,
        done: Arc::default(),
        is_main,
        keeps_best: true,
    };
    let work = {
        let problem = Arc::clone(&problem);
        move |listener: &Listener| answer(&problem, &request, &cancel, listener)
    };
    let (record, trace) = call.run(py, work)??;
    Ok(NativeSolution::new(problem, record, trace))
}

type Answer = (ResultRecord, Vec<TraceRow>);

fn answer(
    problem: &Problem,
    request: &Request,
    cancel: &CancelFlag,
    listener: &Listener,
) -> Result<Answer, Fault> {
    let trace = Mutex::new(Vec::new());
    let record = match &problem.line {
        Some(line) => of_line(line, &problem.entry, request, cancel, listener, &trace),
        None => match_instance!(&problem.entry.instance, instance => {
            of_shop(instance, request, cancel, listener, &trace)
        }),
    }?;
    let mut trace = trace.into_inner().unwrap_or_else(PoisonError::into_inner);
    let end = TraceRow {
        time: record.runtime_s,
        evaluations: record.evaluations,
        value: record.minimised(),
        bound: record.bound,
    };
    trace.push(end);
    Ok((record, trace))
}

/// The plain problem.
fn of_shop<T: ShopTime>(
    instance: &Instance<T>,
    request: &Request,
    cancel: &CancelFlag,
    listener: &Listener,
    trace: &Mutex<Vec<TraceRow>>,
) -> Result<ResultRecord, Fault> {
    let ear = Ear { values: |cost: T| TimeValue::new(cost), listener, cancel, trace };
    let run: Run<'_, T> = request.run(cancel, &ear, T::from_f64_floor);
    let algorithm = pfss::algorithm(&request.algorithm).map_err(Fault::input)?;
    let config = algorithm.config(&request.settings).map_err(Fault::input)?;
    let solver = T::build(algorithm, &request.settings).map_err(Fault::input)?;
    // Before the search, so that the time limit covers it.
    let hash = instance_hash(instance);
    let outcome = solver.solve(instance, &run).map_err(Fault::unsolved)?;
    check(instance, &outcome.order, Some(outcome.cost)).map_err(wrong)?;
    let mut record = ResultRecord::new(instance, &outcome, request.origin(algorithm.name, config));
    record.instance_hash = Some(hash);
    Ok(record)
}

/// The planner's problem.
fn of_line(
    line: &Line,
    entry: &Entry,
    request: &Request,
    cancel: &CancelFlag,
    listener: &Listener,
    trace: &Mutex<Vec<TraceRow>>,
) -> Result<ResultRecord, Fault> {
    let is_integer = entry.instance.is_integer();
    let values = |score: Score| TimeValue::of_units(line.value(score), is_integer);
    let ear = Ear { values, listener, cancel, trace };
    // A value that no order can have ends no search.
    let run: Run<'_, Score> =
        request.run(cancel, &ear, |value| line.score_at_most(value).unwrap_or(Score(0)));
    let algorithm = pfss::planner::algorithm_of(line, &request.algorithm).map_err(Fault::input)?;
    let config = algorithm.config(&request.settings).map_err(Fault::input)?;
    let solver = algorithm.build(&request.settings).map_err(Fault::input)?;
    let hash = entry_hash(entry);
    let outcome = solver.solve(line, &run).map_err(Fault::unsolved)?;
    check_plan(line, &outcome.order, Some(outcome.cost)).map_err(wrong)?;
    let origin = request.origin(algorithm.name, config);
    let table = Timetable::new(line, &outcome.order).map_err(wrong)?;
    let record = ResultRecord::of_plan(line, is_integer, &outcome, origin).map_err(wrong)?;
    let mut record = record.with_jobs(line, &table, is_integer);
    record.instance_hash = Some(hash);
    Ok(record)
}

fn wrong(reason: impl std::fmt::Display) -> Fault {
    Fault::unsolved(format!("the answer is wrong: {reason}; please report this"))
}
