//! What all parts of a server share.

use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use pfss_io::{Format, ReadOptions, ResultRecord};
use tokio::sync::{Semaphore, watch};

use crate::board::{Board, Control};
use crate::config::ServerConfig;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::reading;
use crate::recorder::Recorder;
use crate::store::{Row, Store, StoreError};
use crate::subject::Subject;
use crate::task::{Task, Terms};
use crate::topic::Topics;

/// What solves a job: the error says why there is no answer.
pub(crate) type Search = fn(&Shared, &Arc<Task>, &Control, Terms) -> Result<ResultRecord, String>;

/// What all parts of a server share.
pub(crate) struct Shared {
    pub(crate) config: ServerConfig,
    pub(crate) store: Store,
    pub(crate) board: Board,
    pub(crate) topics: Topics,
    pub(crate) recorder: Recorder,
    pub(crate) metrics: Metrics,
    /// The threads that solve, but those that were given up.
    pub(crate) workers: AtomicUsize,
    /// What solves a job; tests have others.
    pub(crate) search: Search,
    /// Held from the store to those who watch; see [`crate::changes`].
    pub(crate) turn: Mutex<()>,
    /// Mebibytes of bodies that may be on their way.
    pub(crate) bodies: Semaphore,
    /// Large answers that may be made or sent.
    pub(crate) exports: Arc<Semaphore>,
    /// Raised when the server ends.
    pub(crate) ending: watch::Sender<bool>,
    subjects: Subjects,
}

impl Shared {
    /// The parts of a server with this store.
    pub(crate) fn new(config: ServerConfig, store: Store, search: Search) -> Self {
        let bounds = config.bounds;
        Self {
            board: Board::new(bounds.queue),
            bodies: Semaphore::new((bounds.bodies >> 20).max(1)),
            exports: Arc::new(Semaphore::new(bounds.exports)),
            config,
            store,
            topics: Topics::default(),
            recorder: Recorder::default(),
            metrics: Metrics::default(),
            workers: AtomicUsize::new(0),
            search,
            turn: Mutex::default(),
            ending: watch::Sender::new(false),
            subjects: Subjects::default(),
        }
    }

    /// What a job is about; those that were used lately need not be read again.
    pub(crate) fn subject(&self, row: &Row) -> Result<Arc<Subject>, Problem> {
        if let Some(subject) = self.subjects.get(row.number) {
            return Ok(subject);
        }
        let content = self.store.instance(row.number).map_err(store_problem)?;
        let content = content.ok_or_else(|| Problem::unknown("the job was deleted"))?;
        let options = ReadOptions { format: Some(Format::Json), ..ReadOptions::default() };
        let entry = reading::instance(content.as_bytes(), "instance.json", &options, usize::MAX)?;
        let subject = Arc::new(Subject::new(entry)?.with_clock(row.plan()?.clock()));
        self.subjects.put(row.number, &subject);
        Ok(subject)
    }
}

/// Why the store did not do what was asked.
pub(crate) fn store_problem(error: StoreError) -> Problem {
    use axum::http::StatusCode;
    match error {
        StoreError::Full => Problem::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
        _ => Problem::busy(StatusCode::SERVICE_UNAVAILABLE, error.to_string(), 5),
    }
}

/// The instances that were used lately, the latest last.
#[derive(Default)]
struct Subjects(Mutex<VecDeque<(i64, Arc<Subject>)>>);

impl Subjects {
    /// Operations of all instances that are kept.
    const MOST: usize = 4_000_000;
    const MOST_ENTRIES: usize = 32;

    fn get(&self, number: i64) -> Option<Arc<Subject>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|(other, _)| *other == number)?;
        let found = entries.remove(at)?;
        let entry = Arc::clone(&found.1);
        entries.push_back(found);
        Some(entry)
    }

    fn put(&self, number: i64, entry: &Arc<Subject>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push_back((number, Arc::clone(entry)));
        while entries.len() > Self::MOST_ENTRIES
            || entries.iter().map(|(_, subject)| subject.size()).sum::<usize>() > Self::MOST
        {
            if entries.pop_front().is_none() {
                break;
            }
        }
    }
}
