//! How an instance is to be solved.

use std::fmt::Display;
use std::time::Duration;

use pfss::Settings;
use pfss_core::timing::{Objective, check};
use pfss_core::{CancelFlag, Limits, Observer, Permutation, Run, Seed, Time};
use pfss_io::record::Origin;
use pyo3::prelude::*;

use crate::error::input;
use crate::jobs::Jobs;
use crate::problem::Problem;

/// What Python says, item by item of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wishes<'py> {
    algorithm: String,
    settings: String,
    seed: u64,
    threads: usize,
    time_limit: Option<f64>,
    evaluations: Option<u64>,
    stall: Option<u64>,
    target: Option<f64>,
    memory: Option<usize>,
    start: Option<Bound<'py, PyAny>>,
    objective: Option<Vec<String>>,
}

/// How an instance is solved, checked as far as this goes without the algorithm.
pub(crate) struct Request {
    pub(crate) algorithm: String,
    pub(crate) settings: Settings,
    seed: u64,
    threads: usize,
    limits: Limits<f64>,
    memory: Option<usize>,
    start: Option<Permutation>,
}

impl Wishes<'_> {
    /// The objectives, where some are named.
    pub(crate) fn objectives(&self) -> PyResult<Option<Vec<Objective>>> {
        let parsed = |names: &Vec<String>| names.iter().map(|name| name.parse().map_err(input)).collect();
        self.objective.as_ref().map(parsed).transpose()
    }

    /// The request for a problem.
    pub(crate) fn request(&self, problem: &Problem) -> PyResult<Request> {
        let seconds = |limit: f64| {
            Duration::try_from_secs_f64(limit).map_err(|_| {
                input(format!("the time limit is {limit}; expected a number of seconds that is not negative"))
            })
        };
        Ok(Request {
            algorithm: self.algorithm.clone(),
            settings: Settings::from_json(&self.settings).map_err(input)?,
            seed: self.seed,
            threads: self.threads.max(1),
            limits: Limits {
                time: self.time_limit.map(seconds).transpose()?,
                evaluations: self.evaluations,
                stall: self.stall,
                target: self.target,
            },
            memory: self.memory,
            start: self.start.as_ref().map(|start| start_order(problem, start)).transpose()?,
        })
    }
}

/// The order to start from, which must be one that the instance allows.
fn start_order(problem: &Problem, start: &Bound<'_, PyAny>) -> PyResult<Permutation> {
    let told = |reason: &dyn Display| input(format!("the order to start from: {reason}"));
    let order = Jobs::of(&problem.entry.instance).order(start);
    let order = order.map_err(|error| told(error.value(start.py())))?;
    match &problem.line {
        Some(line) => check(line, &order, None).map(|_| order).map_err(|error| told(&error)),
        None => Ok(order),
    }
}

impl Request {
    /// The run for costs of type `C`; `target` turns the target into a cost.
    pub(crate) fn run<'a, C: Time>(
        &self,
        cancel: &CancelFlag,
        observer: &'a dyn Observer<C>,
        target: impl FnOnce(f64) -> C,
    ) -> Run<'a, C> {
        let Limits { time, evaluations, stall, target: value } = self.limits;
        let limits = Limits { time, evaluations, stall, target: value.map(target) };
        let mut run = Run::new(Seed::new(self.seed), limits)
            .with_threads(self.threads)
            .with_cancel(cancel.clone())
            .with_observer(observer);
        if let Some(bytes) = self.memory {
            run = run.with_memory(bytes);
        }
        match &self.start {
            Some(order) => run.with_start(order.clone()),
            None => run,
        }
    }

    /// Whether this is done before anybody could interrupt it: an insertion heuristic or less, about a millisecond.
    pub(crate) fn is_brief(&self, problem: &Problem) -> bool {
        const MOST_STEPS: usize = 1_000_000;
        let (jobs, machines) = (problem.entry.instance.num_jobs(), problem.entry.instance.num_machines());
        let builds = matches!(self.algorithm.as_str(), "neh" | "paper-neh" | "palmer" | "cds");
        builds && jobs.saturating_mul(jobs).saturating_mul(machines) <= MOST_STEPS
    }

    /// How the result was made.
    pub(crate) fn origin(&self, name: &str, config: Settings) -> Origin {
        Origin { algorithm: name.to_string(), config: config.into(), seed: self.seed, threads: self.threads }
    }
}
