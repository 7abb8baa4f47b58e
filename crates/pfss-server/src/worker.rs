//! The threads that solve: one job at a time each, never on the threads that answer requests.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pfss_core::JobId;
use pfss_io::ResultRecord;

use crate::board::{Control, Waiting, Why};
use crate::job::State;
use crate::shared::Shared;
use crate::store::{Finished, Progress, Row, StoreError};
use crate::task::{Task, Terms};

/// How long to wait until a store that failed is asked again.
const RETRY: Duration = Duration::from_millis(500);
/// How long a search may go on after its limit, or after it was asked to end.
const GRACE: Duration = Duration::from_secs(2);
/// How often is looked whether a search should have ended.
const LOOK: Duration = Duration::from_millis(100);
/// What is said of a job whose search panicked.
const DEFECT: &str = "the search failed, which is a defect worth reporting";
/// What is said of a job whose search went on and on.
const ENDLESS: &str = "the search did not end within two seconds of its limit, which is a defect worth reporting; \
                       the best order that it told of is kept";

/// Starts one more worker.
pub(crate) fn start(shared: &Arc<Shared>) -> io::Result<()> {
    let of_thread = Arc::clone(shared);
    let thread = std::thread::Builder::new().name("pfss-worker".to_string());
    shared.workers.fetch_add(1, Ordering::SeqCst);
    thread.spawn(move || work(&of_thread)).map(drop).inspect_err(|_| leave(shared))
}

/// Whether no worker is left but those that were given up.
pub(crate) fn are_done(shared: &Shared) -> bool {
    shared.workers.load(Ordering::SeqCst) == 0
}

fn leave(shared: &Shared) {
    shared.workers.fetch_sub(1, Ordering::SeqCst);
}

/// Gives up searches that do not end, until the board is closed.
pub(crate) fn watch(shared: &Arc<Shared>) {
    while !shared.board.is_closed() {
        for job in shared.board.give_up(GRACE) {
            give_up(shared, &job);
        }
        std::thread::sleep(LOOK);
    }
}

/// Another worker takes the place of one whose search does not end; its job has failed.
fn give_up(shared: &Arc<Shared>, job: &Waiting) {
    shared.metrics.gave_up();
    leave(shared);
    // Without a thread there is one worker less, and the next search that is given up tries again.
    let _ = start(shared);
    if let Some(task) = shared.recorder.take(job.number, job.round) {
        let finished = failed(shared, &task, ENDLESS);
        persist(shared, || shared.finish(&task.topic, &finished));
    }
    shared.board.finished(job);
}

/// Solves jobs until the board is closed.
fn work(shared: &Shared) {
    lower_priority();
    while let Some((job, control)) = shared.board.next() {
        // A defect in one job must not take the worker away from all others.
        let is_over = catch_unwind(AssertUnwindSafe(|| solve(shared, &job, &control)));
        let is_over = is_over.unwrap_or_else(|_| {
            let is_over = control.search_ended();
            if is_over {
                fail(shared, &job, DEFECT);
            }
            is_over
        });
        if !is_over {
            // Another worker has this one's place.
            return;
        }
        shared.board.finished(&job);
        shared.metrics.finished();
    }
    leave(shared);
}

/// Answers come before searches where both want the processor. Threads of a search inherit it.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(5);
}

/// One round of a job, from the store to the store. False where it was given up.
fn solve(shared: &Shared, job: &Waiting, control: &Control) -> bool {
    let Some(Some(row)) = persist(shared, || shared.begin(job)) else { return true };
    let (task, terms) = match prepare(shared, row) {
        Ok(prepared) => prepared,
        Err(message) => {
            fail(shared, job, &message);
            return true;
        }
    };
    let listed = shared.recorder.list(&task);
    task.topic.search_begins(task.row.known.runtime_s);
    control.search_begins(terms.time.unwrap_or(shared.config.max_time));
    let solved = catch_unwind(AssertUnwindSafe(|| (shared.search)(shared, &task, control, terms)));
    if !control.search_ended() {
        return false;
    }
    task.topic.search_ended();
    drop(listed);
    finish(shared, &task, control.why(), solved.unwrap_or_else(|_| Err(DEFECT.to_string())));
    true
}

/// What is to be solved, and from where to where.
fn prepare(shared: &Shared, row: Row) -> Result<(Arc<Task>, Terms), String> {
    let subject = shared.subject(&row).map_err(|problem| problem.detail().to_string())?;
    let plan = row.plan().map_err(|problem| problem.detail().to_string())?;
    let start = first_order(shared, &row).map_err(|error| error.to_string())?;
    let (topic, time) = (shared.topics.of(&row), row.time_left());
    let task = Task::new(row, subject, plan, topic).map_err(|error| error.to_string())?;
    Ok((Arc::new(task), Terms { start, time }))
}

/// The order to begin with: the best one so far, or the one that was given.
fn first_order(shared: &Shared, row: &Row) -> Result<Option<Vec<JobId>>, StoreError> {
    if let Some(record) = shared.store.result(row.number)? {
        let record: Option<ResultRecord> = serde_json::from_str(&record).ok();
        return Ok(record.map(|record| record.order));
    }
    let given = shared.store.start(row.number)?;
    Ok(given.and_then(|given| serde_json::from_str(&given).ok()))
}

/// Keeps how the round ended and tells of it.
fn finish(shared: &Shared, task: &Arc<Task>, why: Why, solved: Result<ResultRecord, String>) {
    if why == Why::Shutdown {
        // It stays `running` in the store, so that the next process goes on from its best order.
        let _ = shared.keep(&[Arc::clone(task)]);
        return;
    }
    let is_stopped = why == Why::Stopped;
    let finished = match solved {
        Ok(record) => {
            let (known, record) = task.finished(&record);
            let (number, round, record) = (task.row.number, task.row.round, record.to_json().ok());
            let state = if is_stopped { State::Stopped } else { State::Done };
            let progress = Progress { number, round, known, history: String::new(), record };
            Finished { progress, state, message: None }
        }
        // It ended before it had an order.
        Err(_) if is_stopped => Finished { state: State::Stopped, message: None, ..failed(shared, task, "") },
        Err(message) => failed(shared, task, &message),
    };
    persist(shared, || shared.finish(&task.topic, &finished));
}

/// The end of a round without an answer of its own. What was found before is not lost.
fn failed(shared: &Shared, task: &Task, message: &str) -> Finished {
    let row = &task.row;
    let progress = task.progress().unwrap_or_else(|| {
        let stored = shared.store.find(&row.id).ok().flatten();
        let known = stored.map_or_else(|| row.known.clone(), |stored| stored.known);
        Progress { number: row.number, round: row.round, known, history: String::new(), record: None }
    });
    Finished { progress, state: State::Failed, message: Some(message.to_string()) }
}

/// Notes that a job failed before it was searched for.
fn fail(shared: &Shared, job: &Waiting, message: &str) {
    let Ok(Some(row)) = shared.store.find(&job.id) else { return };
    let (number, round, known) = (job.number, job.round, row.known.clone());
    let progress = Progress { number, round, known, history: String::new(), record: None };
    let finished = Finished { progress, state: State::Failed, message: Some(message.to_string()) };
    let topic = shared.topics.of(&row);
    persist(shared, || shared.finish(&topic, &finished));
}

/// Asks the store until it can: a disk may be full for a while, and what was found must not be lost. `None` where the server
/// ends before.
fn persist<T>(shared: &Shared, mut write: impl FnMut() -> Result<T, StoreError>) -> Option<T> {
    loop {
        let written = write();
        shared.recorder.note(&written);
        if let Ok(written) = written {
            return Some(written);
        }
        if shared.board.is_closed() {
            return None;
        }
        std::thread::sleep(RETRY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Bounds, ServerConfig};
    use crate::search::search as usual;
    use crate::shared::Search;
    use crate::store::{NewJob, Store};
    use crate::task::Found;
    use tempfile::TempDir;

    fn shared(search: Search) -> (TempDir, Arc<Shared>) {
        let folder = tempfile::tempdir().unwrap();
        let config = ServerConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            store: folder.path().into(),
            workers: 1,
            max_time: Duration::from_secs(60),
            token: None,
            origins: Vec::new(),
            cores: 1,
            memory: 1 << 28,
            bounds: Bounds::default(),
        };
        let store = Store::open(folder.path()).unwrap();
        (folder, Arc::new(Shared::new(config, store, search)))
    }

    fn submit(shared: &Shared, id: &str) {
        let options =
            r#"{"algorithm": "neh", "time_limit": 0.05, "seed": 1, "threads": 1, "objective": "makespan"}"#;
        let job = NewJob {
            id,
            name: "x",
            num_jobs: 2,
            num_machines: 2,
            created_at: 1,
            objective: "makespan",
            options,
            time_limit_s: Some(0.05),
            instance: r#"{"times": [[1, 2], [2, 2]]}"#,
            start: None,
        };
        shared.accept(&job).unwrap();
    }

    fn find(task: &Task) {
        task.improved(Found {
            order: vec![1, 0],
            value: 6.0,
            bound: 5.0,
            is_optimal: false,
            runtime: Duration::from_millis(1),
            evaluations: 1,
        });
    }

    /// Waits until a job has ended.
    fn ended(shared: &Shared, id: &str) -> Row {
        loop {
            let row = shared.row(id).unwrap();
            if !row.state.is_open() {
                return row;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_search_that_does_not_end_is_given_up_and_the_next_job_is_solved() {
        let (_folder, shared) = shared(|shared, task, control, terms| {
            if task.row.id == "endless" {
                find(task);
                while !shared.board.is_closed() {
                    std::thread::sleep(LOOK);
                }
                return Err("it ended after all".to_string());
            }
            usual(shared, task, control, terms)
        });
        super::start(&shared).unwrap();
        let watchdog = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || watch(&shared)
        });
        submit(&shared, "endless");
        submit(&shared, "next");
        let endless = ended(&shared, "endless");
        assert_eq!((endless.state, endless.message.as_deref()), (State::Failed, Some(ENDLESS)));
        assert_eq!(endless.known.value, Some(6.0));
        assert!(shared.store.result(endless.number).unwrap().unwrap().contains("\"order\":[1,0]"));
        assert_eq!(ended(&shared, "next").state, State::Done);
        let metrics = shared.metrics.text(&[], 0, 0);
        assert!(metrics.contains("pfss_searches_given_up_total 1"), "{metrics}");
        // Somebody may go on with it; then it is searched for again, and its first search no longer counts.
        shared.board.close();
        watchdog.join().unwrap();
        while !are_done(&shared) {
            std::thread::sleep(LOOK);
        }
        let endless = shared.row("endless").unwrap();
        assert_eq!(
            endless.message.as_deref(),
            Some(ENDLESS),
            "an answer that comes too late changes nothing"
        );
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let (_folder, shared) = shared(|shared, task, control, terms| {
            if task.row.id == "panics" {
                find(task);
                std::panic::resume_unwind(Box::new("a defect"));
            }
            usual(shared, task, control, terms)
        });
        super::start(&shared).unwrap();
        submit(&shared, "panics");
        submit(&shared, "next");
        let row = ended(&shared, "panics");
        assert_eq!((row.state, row.message.as_deref()), (State::Failed, Some(DEFECT)));
        assert_eq!(row.known.value, Some(6.0), "what it had found is kept");
        assert_eq!(ended(&shared, "next").state, State::Done);
        assert!(shared.recorder.take(row.number, row.round).is_none());
        shared.board.close();
    }
}
