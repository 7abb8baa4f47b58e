//! Every change of a job's state: the store first, then the board, then those who watch. What the store refuses has no effect,
//! and nothing old is told after something new.

use std::sync::{Arc, MutexGuard, PoisonError};

use axum::http::StatusCode;

use crate::board::{Reservation, Waiting, Why};
use crate::job::State;
use crate::problem::Problem;
use crate::shared::{Shared, store_problem};
use crate::solving::Plan;
use crate::store::{Finished, NewJob, Row, StoreError};
use crate::task::Task;
use crate::topic::Topic;

impl Shared {
    /// Held from the store to those who watch: one change at a time.
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The row of a job, or 404.
    pub(crate) fn row(&self, id: &str) -> Result<Row, Problem> {
        let found = self.store.find(id).map_err(store_problem)?;
        found.ok_or_else(|| Problem::unknown(format!("there is no job `{id}`")))
    }

    /// Keeps a new job and puts it into the queue.
    pub(crate) fn accept(&self, job: &NewJob<'_>) -> Result<(), Problem> {
        let place = self.place()?;
        let number = self.noted(self.store.insert(job))?;
        self.metrics.accepted();
        place.take(Waiting { number, round: 0, id: job.id.to_string() });
        Ok(())
    }

    /// What the store did, or why not; `/healthz` tells of it, too.
    fn noted<T>(&self, done: Result<T, StoreError>) -> Result<T, Problem> {
        self.recorder.note(&done);
        done.map_err(store_problem)
    }

    /// A place in the queue, unless the server ends or the queue is full.
    fn place(&self) -> Result<Reservation<'_>, Problem> {
        if self.board.is_closed() {
            let detail = "the server ends and takes no new jobs";
            return Err(Problem::busy(StatusCode::SERVICE_UNAVAILABLE, detail, 10));
        }
        self.board.reserve().ok_or_else(|| {
            let most = self.config.bounds.queue;
            let detail = format!("{most} jobs wait already; try again when some are done");
            Problem::busy(StatusCode::TOO_MANY_REQUESTS, detail, 10)
        })
    }

    /// A worker takes a round of a job; `None` where it was stopped or forgotten while it waited.
    pub(crate) fn begin(&self, job: &Waiting) -> Result<Option<Row>, StoreError> {
        let _turn = self.turn();
        if !self.store.begin(job.number, job.round)? {
            return Ok(None);
        }
        let row = self.store.find(&job.id)?;
        if let Some(row) = &row {
            self.topics.of(row).tell_state(State::Running, None);
        }
        Ok(row)
    }

    /// Ends a job. Where it runs, its topic is given: it tells when the search has ended.
    pub(crate) fn stop(&self, id: &str) -> Result<Option<Arc<Topic>>, Problem> {
        let _turn = self.turn();
        let row = self.row(id)?;
        let topic = self.topics.of(&row);
        match row.state {
            State::Queued => {
                if self.noted(self.store.stop(row.number))? {
                    self.board.withdraw(row.number);
                    topic.tell_state(State::Stopped, None);
                }
                Ok(None)
            }
            State::Running => {
                self.board.end(row.number, Why::Stopped);
                Ok(Some(topic))
            }
            State::Done | State::Stopped | State::Failed => Ok(None),
        }
    }

    /// Puts a job that has ended into the queue again; `change` makes the plan of the next round from that of the last one.
    pub(crate) fn go_on(
        &self,
        id: &str,
        change: impl FnOnce(Plan) -> Result<Plan, Problem>,
    ) -> Result<(), Problem> {
        let _turn = self.turn();
        let row = self.row(id)?;
        if row.state.is_open() {
            return Err(Problem::conflict(format!("the job is {}; stop it first", row.state.name())));
        }
        if row.known.is_optimal() {
            return Err(Problem::conflict("the order is proven optimal: there is nothing to improve"));
        }
        let plan = change(row.plan()?)?;
        let place = self.place()?;
        if !self.noted(self.store.requeue(row.number, &plan.to_json()?, plan.time_limit))? {
            return Err(Problem::conflict("the job goes on already; stop it first"));
        }
        let topic = self.topics.of(&row);
        topic.set_time_limit(plan.time_limit);
        topic.tell_state(State::Queued, None);
        place.take(Waiting { number: row.number, round: row.round + 1, id: row.id });
        Ok(())
    }

    /// Forgets a job, also one that runs.
    pub(crate) fn forget(&self, id: &str) -> Result<(), Problem> {
        let _turn = self.turn();
        let row = self.row(id)?;
        self.noted(self.store.delete(row.number))?;
        self.board.withdraw(row.number);
        self.board.end(row.number, Why::Deleted);
        self.topics.delete(id);
        Ok(())
    }

    /// Keeps what these tasks found, then tells of it.
    pub(crate) fn keep(&self, tasks: &[Arc<Task>]) -> Result<(), StoreError> {
        let _turn = self.turn();
        let mut all = Vec::new();
        let mut told = Vec::new();
        for task in tasks {
            if let Some(mut progress) = task.progress() {
                let points = task.topic.with_point(&progress.known);
                progress.history = serde_json::to_string(&points).unwrap_or_default();
                told.push((task, progress.known.clone(), points));
                all.push(progress);
            }
        }
        if all.is_empty() {
            return Ok(());
        }
        let saved = self.store.save(&all);
        self.recorder.note(&saved);
        match saved {
            Ok(kept) => {
                let kept = told.into_iter().zip(kept).filter(|(_, is_kept)| *is_kept);
                kept.for_each(|((task, known, points), _)| task.topic.tell(known, points));
                Ok(())
            }
            Err(error) => {
                told.iter().for_each(|(task, ..)| task.not_saved());
                self.recorder.wake();
                Err(error)
            }
        }
    }

    /// Keeps how a round ended, then tells of it; nothing where the round was over before.
    pub(crate) fn finish(&self, topic: &Topic, finished: &Finished) -> Result<(), StoreError> {
        let _turn = self.turn();
        let known = &finished.progress.known;
        let points = topic.with_point(known);
        let mut finished = finished.clone();
        finished.progress.history = serde_json::to_string(&points).unwrap_or_default();
        let saved = self.store.finish(&finished);
        self.recorder.note(&saved);
        if saved? {
            topic.tell(known.clone(), points);
            topic.tell_state(finished.state, finished.message);
        }
        Ok(())
    }
}
