//! One round of a job: what is solved, and what was found since the store last heard of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pfss_core::timing::check;
use pfss_core::{Instance, JobId, Outcome, Permutation, StopReason, Time};
use pfss_io::record::Origin;
use pfss_io::{ResultRecord, match_instance};

use crate::job::{Known, Status};
use crate::solving::Plan;
use crate::store::{Progress, Row};
use crate::subject::Subject;
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

/// A new best order, as a run tells of it.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) order: Vec<JobId>,
    /// What it is worth, in the user's units.
    pub(crate) value: f64,
    pub(crate) bound: f64,
    /// Whether the run has proven it optimal. That cannot be told from value and bound where there are several objectives.
    pub(crate) is_optimal: bool,
    pub(crate) runtime: Duration,
    pub(crate) evaluations: u64,
}

/// What a search begins with and when it ends.
pub(crate) struct Terms {
    /// The order to begin with.
    pub(crate) start: Option<Vec<JobId>>,
    /// The time that is left.
    pub(crate) time: Option<Duration>,
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
            true => plan.config(&subject)?.into(),
            false => serde_json::json!({}),
        };
        let origin =
            Origin { algorithm: algorithm.to_string(), config, seed: plan.seed, threads: plan.threads };
        Ok(Self { row, subject, plan, topic, origin, news: Mutex::default() })
    }

    /// Notes a new best order.
    pub(crate) fn improved(&self, found: Found) {
        let mut news = self.lock();
        (news.bound, news.runtime) = (Some(found.bound), found.runtime);
        (news.is_new, news.is_order_new) = (true, true);
        news.best = Some(found);
    }

    /// Notes a better bound, and whether it proves that the best order is optimal.
    pub(crate) fn raised(&self, bound: f64, is_optimal: bool, runtime: Duration) {
        let mut news = self.lock();
        if let Some(best) = &mut news.best {
            // The record says it too, so it is written again.
            (best.bound, best.is_optimal) = (bound, is_optimal);
            news.is_order_new |= is_optimal;
        }
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
        // A round that has not reached the best order of the one before yet has no news of its order.
        let best = best.filter(|found| before.value.is_none_or(|value| found.value <= value));
        let record = best.as_ref().and_then(|found| self.running(found, runtime_s));
        let known = match &record {
            Some(record) => known_of(record),
            // The run began with the bound of the round before.
            None => Known { bound: bound.or(before.bound), runtime_s, ..before.clone() },
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

    /// The record of the final answer of this round, with the time of those before.
    pub(crate) fn finished(&self, record: &ResultRecord) -> (Known, ResultRecord) {
        let mut record = record.clone();
        record.runtime_s += self.row.round_base_s_so_far();
        (known_of(&record), record)
    }

    /// The record of an order that may still be improved. Nothing is kept that the plain definition does not confirm.
    fn running(&self, found: &Found, runtime_s: f64) -> Option<ResultRecord> {
        let record = match self.subject.line() {
            Some(line) => {
                let cost = check(line, &found.order, None).ok()?;
                let outcome = outcome(found, cost, line.score_at_least(found.bound), runtime_s)?;
                let is_integer = self.subject.entry.instance.is_integer();
                ResultRecord::of_plan(line, is_integer, &outcome, self.origin.clone()).ok()?
            }
            None => {
                match_instance!(&self.subject.entry.instance, instance => self.plain(instance, found, runtime_s))?
            }
        };
        Some(ResultRecord { stop_reason: "running".to_string(), ..record })
    }

    fn plain<T: Time>(&self, instance: &Instance<T>, found: &Found, runtime_s: f64) -> Option<ResultRecord> {
        let cost = pfss_core::check(instance, &found.order, Some(T::from_f64_floor(found.value))).ok()?;
        let outcome = outcome(found, cost, T::from_f64_floor(found.bound), runtime_s)?;
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
        status: Status::named(&record.status),
        runtime_s: record.runtime_s,
    }
}

/// An order that was found so far, as an answer.
fn outcome<T: Time>(found: &Found, cost: T, bound: T, runtime_s: f64) -> Option<Outcome<T>> {
    Some(Outcome {
        order: Permutation::new(found.order.clone(), found.order.len()).ok()?,
        cost,
        bound: bound.minimum(cost),
        status: pfss_core::Status::of(found.is_optimal, StopReason::Finished),
        evaluations: found.evaluations,
        runtime: Duration::try_from_secs_f64(runtime_s).unwrap_or_default(),
    })
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
