//! One round of a job: what is solved, and what was found since the store last heard of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pfss_core::timing::check;
use pfss_core::{Instance, JobId, Outcome, Permutation, Status, StopReason, Time};
use pfss_io::record::Origin;
use pfss_io::{ResultRecord, TimeValue, match_instance};

use crate::job::Known;
use crate::solving::Plan;
use crate::store::{Progress, Row};
use crate::subject::{Subject, score_of};
use crate::topic::Topic;

/// One round of a job.
pub(crate) struct Task {
    pub(crate) row: Row,
    pub(crate) subject: Arc<Subject>,
    pub(crate) plan: Plan,
    pub(crate) topic: Arc<Topic>,
    pub(crate) origin: Origin,
    news: Mutex<News>,
}

#[derive(Default)]
struct News {
    best: Option<Found>,
    bound: Option<f64>,
    runtime: Duration,
    /// Something was found since the store last heard of it.
    is_new: bool,
    /// The best order is newer than the record in the store.
    is_order_new: bool,
}

#[derive(Clone)]
struct Found {
    order: Vec<JobId>,
    value: f64,
    evaluations: u64,
}

impl Task {
    /// A round of the job in `row`.
    pub(crate) fn new(
        row: Row,
        subject: Arc<Subject>,
        plan: Plan,
        topic: Arc<Topic>,
    ) -> Result<Self, pfss::BuildError> {
        let algorithm = plan.solver_name();
        let config = match plan.pinned.is_empty() {
            true => plan.config(subject.line().is_some())?.into(),
            false => serde_json::json!({}),
        };
        let origin =
            Origin { algorithm: algorithm.to_string(), config, seed: plan.seed, threads: plan.threads };
        Ok(Self { row, subject, plan, topic, origin, news: Mutex::default() })
    }

    /// Notes a new best order, what it is worth, and when it was found, after how many evaluations.
    pub(crate) fn improved(
        &self,
        order: &[JobId],
        value: f64,
        bound: f64,
        (runtime, evaluations): (Duration, u64),
    ) {
        let mut news = self.lock();
        news.best = Some(Found { order: order.to_vec(), value, evaluations });
        (news.bound, news.runtime) = (Some(bound), runtime);
        (news.is_new, news.is_order_new) = (true, true);
    }

    /// Notes a better bound.
    pub(crate) fn raised(&self, bound: f64, runtime: Duration) {
        let mut news = self.lock();
        (news.bound, news.runtime, news.is_new) = (Some(bound), runtime, true);
    }

    /// What the store should hear, where there is anything.
    pub(crate) fn progress(&self) -> Option<Progress> {
        let (best, bound, runtime, is_order_new) = {
            let mut news = self.lock();
            if !std::mem::take(&mut news.is_new) {
                return None;
            }
            (news.best.clone(), news.bound, news.runtime, std::mem::take(&mut news.is_order_new))
        };
        let runtime_s = self.row.round_base_s_so_far() + runtime.as_secs_f64();
        let before = &self.row.known;
        let bound = self.least_bound(bound);
        // A round that has not reached the best order of the one before yet has no news of its order.
        let best = best.filter(|found| before.value.is_none_or(|value| found.value <= value));
        let record = best.as_ref().and_then(|found| self.running(found, bound, runtime_s));
        let known = match &record {
            Some(record) => known_of(record),
            None => Known { bound, runtime_s, ..before.clone() },
        };
        let record = record.filter(|_| is_order_new).and_then(|record| record.to_json().ok());
        let (number, round) = (self.row.number, self.row.round);
        Some(Progress { number, round, known, history: String::new(), record })
    }

    /// The store could not be told; it will be asked again.
    pub(crate) fn not_saved(&self) {
        let mut news = self.lock();
        (news.is_new, news.is_order_new) = (true, true);
    }

    /// What no order undercuts, by this round and those before.
    fn least_bound(&self, bound: Option<f64>) -> Option<f64> {
        match (bound, self.row.known.bound) {
            (Some(now), Some(before)) => Some(now.max(before)),
            (now, before) => now.or(before),
        }
    }

    /// The record of the final answer of this round, with what rounds before know.
    pub(crate) fn finished(&self, record: &ResultRecord) -> (Known, ResultRecord) {
        let mut record = record.clone();
        record.runtime_s += self.row.round_base_s_so_far();
        if let Some(bound) = self.row.known.bound {
            raise(&mut record, bound);
        }
        (known_of(&record), record)
    }

    /// The record of an order that may still be improved. Nothing is kept that the plain definition does not confirm.
    fn running(&self, found: &Found, bound: Option<f64>, runtime_s: f64) -> Option<ResultRecord> {
        let record = match self.subject.line() {
            Some(line) => {
                let cost = check(line, &found.order, None).ok()?;
                let outcome = outcome(found, cost, score_of(line, bound), runtime_s)?;
                let is_integer = self.subject.entry.instance.is_integer();
                ResultRecord::of_plan(line, is_integer, &outcome, self.origin.clone()).ok()?
            }
            None => {
                match_instance!(&self.subject.entry.instance, instance => self.plain(instance, found, bound, runtime_s))?
            }
        };
        Some(ResultRecord { stop_reason: "running".to_string(), ..record })
    }

    fn plain<T: Time>(
        &self,
        instance: &Instance<T>,
        found: &Found,
        bound: Option<f64>,
        runtime_s: f64,
    ) -> Option<ResultRecord> {
        let cost = pfss_core::check(instance, &found.order, Some(T::from_f64_floor(found.value))).ok()?;
        let outcome = outcome(found, cost, T::from_f64_floor(bound.unwrap_or_default()), runtime_s)?;
        Some(ResultRecord::new(instance, &outcome, self.origin.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known once this record is.
fn known_of(record: &ResultRecord) -> Known {
    Known {
        value: Some(record.value.unwrap_or(record.makespan).to_f64()),
        makespan: Some(record.makespan.to_f64()),
        bound: Some(record.bound.to_f64()),
        runtime_s: record.runtime_s,
    }
}

/// An order that was found so far, as an answer.
fn outcome<T: Time>(found: &Found, cost: T, bound: T, runtime_s: f64) -> Option<Outcome<T>> {
    let is_optimal = cost.meets(bound);
    Some(Outcome {
        order: Permutation::new(found.order.clone(), found.order.len()).ok()?,
        cost,
        bound: bound.minimum(cost),
        status: if is_optimal { Status::Optimal } else { Status::Feasible(StopReason::Finished) },
        evaluations: found.evaluations,
        runtime: Duration::try_from_secs_f64(runtime_s).unwrap_or_default(),
    })
}

/// Raises the bound of a record to one that is known from before.
fn raise(record: &mut ResultRecord, bound: f64) {
    let value = record.value.unwrap_or(record.makespan).to_f64();
    let bound = bound.min(value);
    if bound <= record.bound.to_f64() {
        return;
    }
    record.bound = TimeValue::of_units(bound, !matches!(record.makespan, TimeValue::Real(_)));
    record.gap = match value == bound {
        true => Some(0.0),
        false => (bound != 0.0).then(|| (value - bound) / bound.abs()),
    };
    if value <= bound {
        (record.status, record.stop_reason) = ("optimal".to_string(), "optimal".to_string());
    }
}

impl Row {
    /// Seconds of search before this run of the program took the job up.
    fn round_base_s_so_far(&self) -> f64 {
        self.known.runtime_s
    }

    /// What is left of the round's time limit, at least a little.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let spent = self.known.runtime_s - self.round_base_s;
        let left = self.time_limit_s.map(|limit| (limit - spent).max(0.05));
        left.and_then(|left| Duration::try_from_secs_f64(left).ok())
    }
}
