//! The threads that solve: one job at a time each, never on the threads that answer requests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use pfss_core::JobId;
use pfss_io::ResultRecord;

use crate::board::{Control, Waiting, Why};
use crate::job::{Known, State};
use crate::search::{Terms, search};
use crate::shared::Shared;
use crate::solving::Plan;
use crate::store::{Finished, Progress, Row, StoreError};
use crate::task::Task;

/// How long to wait until a store that failed is asked again.
const RETRY: Duration = Duration::from_millis(500);

/// Solves jobs until the board is closed.
pub(crate) fn work(shared: &Shared) {
    lower_priority();
    while let Some((job, control)) = shared.board.next() {
        // A defect in one job must not take the worker away from all others.
        let solved = catch_unwind(AssertUnwindSafe(|| solve(shared, &job, &control)));
        let failed = match solved {
            Ok(Ok(())) => None,
            Ok(Err(message)) => Some(message),
            Err(_) => Some("the search failed, which is a defect worth reporting".to_string()),
        };
        if let Some(message) = failed {
            fail(shared, &job, &control, message);
        }
        shared.board.finished(job.number);
        shared.metrics.finished();
    }
}

/// Answers come before searches where both want the processor. Threads of a search inherit it.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(5);
}

/// One round of a job, from the store to the store.
fn solve(shared: &Shared, job: &Waiting, control: &Control) -> Result<(), String> {
    let text = |error: StoreError| error.to_string();
    // Forgotten while it waited for this worker.
    let Some(row) = shared.store.find(&job.id).map_err(text)? else { return Ok(()) };
    let plan: Plan = serde_json::from_value(row.options()).map_err(|error| error.to_string())?;
    let subject = shared.subject(&row).map_err(|problem| problem.detail().to_string())?;
    let start = start(shared, &row).map_err(text)?;
    persist(shared, control, || shared.store.begin(row.number));
    let topic = shared.topics.of(&row);
    topic.tell_state(State::Running, None);
    let time = row.time_left();
    let task = Arc::new(Task::new(row, subject, plan, topic).map_err(|error| error.to_string())?);
    shared.recorder.add(Arc::clone(&task));
    let solved = search(shared, &task, control, Terms { start, time });
    shared.recorder.remove(&task);
    finish(shared, &task, control, solved);
    Ok(())
}

/// The order to begin with: the best one so far, or the one that was given.
fn start(shared: &Shared, row: &Row) -> Result<Option<Vec<JobId>>, StoreError> {
    if let Some(record) = shared.store.result(row.number)? {
        let record: Option<ResultRecord> = serde_json::from_str(&record).ok();
        return Ok(record.map(|record| record.order));
    }
    let given = shared.store.start(row.number)?;
    Ok(given.and_then(|given| serde_json::from_str(&given).ok()))
}

/// Keeps how the round ended and tells of it.
fn finish(shared: &Shared, task: &Arc<Task>, control: &Control, solved: Result<ResultRecord, String>) {
    let why = control.why();
    if why == Why::Deleted {
        return;
    }
    if why == Why::Shutdown {
        // It stays `running` in the store, so that the next process goes on from its best order.
        let _ = shared.recorder.keep(&shared.store, &[Arc::clone(task)]);
        return;
    }
    let row = &task.row;
    let (number, round) = (row.number, row.round);
    let finished = match solved {
        Ok(record) => {
            let (known, record) = task.finished(&record);
            let record = record.to_json().ok();
            let state = if why == Why::Stopped { State::Stopped } else { State::Done };
            let progress = Progress { number, round, known, history: String::new(), record };
            Finished { progress, state, message: None }
        }
        Err(error) => {
            // What was found before is not lost.
            let progress = task.progress().unwrap_or_else(|| {
                let stored = shared.store.find(&row.id).ok().flatten();
                let known = stored.map_or_else(|| row.known.clone(), |stored| stored.known);
                Progress { number, round, known, history: String::new(), record: None }
            });
            let stopped_early = why == Why::Stopped;
            let state = if stopped_early { State::Stopped } else { State::Failed };
            Finished { progress, state, message: (!stopped_early).then_some(error) }
        }
    };
    persist(shared, control, || shared.recorder.finish(&shared.store, task, &finished));
}

/// Notes that a job failed before or without an answer.
fn fail(shared: &Shared, job: &Waiting, control: &Control, message: String) {
    let Ok(Some(row)) = shared.store.find(&job.id) else { return };
    let known: Known = row.known.clone();
    let progress =
        Progress { number: row.number, round: row.round, known, history: row.history.clone(), record: None };
    let finished = Finished { progress, state: State::Failed, message: Some(message.clone()) };
    persist(shared, control, || shared.store.finish(&finished));
    shared.topics.of(&row).tell_state(State::Failed, Some(message));
}

/// Asks the store until it can: a disk may be full for a while, and what was found must not be lost.
fn persist(shared: &Shared, control: &Control, mut write: impl FnMut() -> Result<(), StoreError>) {
    loop {
        let written = write();
        shared.recorder.note(&written);
        let is_hopeless = shared.board.is_closed() || control.why() == Why::Deleted;
        if written.is_ok() || is_hopeless {
            return;
        }
        std::thread::sleep(RETRY);
    }
}
