//! Runs every contender on every instance with every seed, in parallel, and skips what is already there.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pfss_core::CancelFlag;
use thiserror::Error;

use crate::execute::execute;
use crate::{
    BenchInstance, Contender, Journal, JournalError, Monitor, Progress, Provenance, Row, RowKey, RunLimit,
    Task,
};

/// A bench: instances x contenders x seeds under one limit. Each run uses one thread.
pub struct Bench<'a> {
    /// The instances.
    pub instances: &'a [BenchInstance],
    /// The algorithms.
    pub contenders: &'a [Contender],
    /// Runs per instance and algorithm, with the seeds `1..=seeds`.
    pub seeds: u64,
    /// The limit of each run.
    pub limit: RunLimit,
    /// How many runs go on at the same time. With more than the machine has cores they slow each other down.
    pub workers: usize,
    /// How many bytes the search of one run may hold.
    pub memory: usize,
    /// What the rows say about program and machine.
    pub provenance: Provenance,
    /// Ends the bench: running runs are given up without a row.
    pub cancel: CancelFlag,
}

/// Why a bench, or the reproduction of a table, had to stop.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The rows cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The worker threads cannot be started.
    #[error("cannot start {workers} worker threads: {reason}; ask for fewer")]
    Workers {
        /// How many were asked for.
        workers: usize,
        /// Why not.
        reason: String,
    },
}

/// A run that gave no valid result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The name of the instance.
    pub instance: String,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The seed.
    pub seed: u64,
    /// What went wrong.
    pub reason: String,
}

/// What a bench gave.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The rows of the plan that exist now, in the order of the plan.
    pub rows: Vec<Row>,
    /// How many runs the plan has.
    pub planned: usize,
    /// How many of the rows were there before.
    pub reused: usize,
    /// How many of those were made by another version, commit or processor.
    pub reused_from_elsewhere: usize,
    /// Runs without a valid result.
    pub failures: Vec<Failure>,
}

/// A run of the plan by its indices.
#[derive(Clone, Copy)]
struct Planned {
    instance: usize,
    contender: usize,
    seed: u64,
    weight: f64,
}

/// What the workers share.
struct Shared<'a> {
    journal: &'a mut Journal,
    failures: Vec<Failure>,
    error: Option<JournalError>,
    done: usize,
    running: usize,
    remaining_weight: f64,
    measured_weight: f64,
    measured_seconds: f64,
}

impl Bench<'_> {
    /// Runs what `journal` does not hold yet, longest runs first, and appends each row as its run ends.
    ///
    /// # Errors
    /// [`BenchError`] when rows cannot be written or threads not be started. A run that fails is no error of
    /// the bench: the others go on, and the report tells.
    pub fn run(&self, journal: &mut Journal, monitor: &dyn Monitor) -> Result<Report, BenchError> {
        let plan = self.plan();
        let there: HashMap<RowKey, &Row> = journal.rows().iter().map(|row| (row.key(), row)).collect();
        let (old, mut open): (Vec<Planned>, Vec<Planned>) =
            plan.iter().partition(|planned| there.contains_key(&self.key(planned)));
        let elsewhere = old.iter().filter_map(|planned| there.get(&self.key(planned)));
        let reused_from_elsewhere = elsewhere.filter(|row| !self.made_here(row)).count();
        drop(there);
        // Long runs first: the end of the bench does not wait for one that started last.
        open.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let failures = self.work(&open, plan.len(), journal, monitor)?;
        let by_key: HashMap<RowKey, &Row> = journal.rows().iter().map(|row| (row.key(), row)).collect();
        let rows = plan.iter().filter_map(|planned| by_key.get(&self.key(planned)).map(|&row| row.clone()));
        Ok(Report {
            rows: rows.collect(),
            planned: plan.len(),
            reused: old.len(),
            reused_from_elsewhere,
            failures,
        })
    }

    /// All runs, without repetitions.
    fn plan(&self) -> Vec<Planned> {
        let mut seen = HashSet::new();
        let mut plan = Vec::new();
        for (at, instance) in self.instances.iter().enumerate() {
            let weight = self.limit.weight(instance.num_jobs(), instance.num_machines());
            for contender in 0..self.contenders.len() {
                for seed in 1..=self.seeds {
                    let planned = Planned { instance: at, contender, seed, weight };
                    if seen.insert(self.key(&planned)) {
                        plan.push(planned);
                    }
                }
            }
        }
        plan
    }

    fn key(&self, planned: &Planned) -> RowKey {
        let contender = &self.contenders[planned.contender];
        RowKey {
            instance: self.instances[planned.instance].name().to_string(),
            algorithm: contender.name().to_string(),
            config: contender.config().to_string(),
            seed: planned.seed,
            limit: self.limit.to_string(),
        }
    }

    fn made_here(&self, row: &Row) -> bool {
        let here = &self.provenance;
        row.version == here.version && row.commit == here.commit && row.cpu == here.cpu
    }

    /// The workers take the open runs one after the other.
    fn work(
        &self,
        open: &[Planned],
        total: usize,
        journal: &mut Journal,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Failure>, BenchError> {
        let workers = self.workers.clamp(1, open.len().max(1));
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(workers)
            .thread_name(|index| format!("bench-{index}"))
            .build()
            .map_err(|error| BenchError::Workers { workers, reason: error.to_string() })?;
        let shared = Mutex::new(Shared {
            journal,
            failures: Vec::new(),
            error: None,
            done: total - open.len(),
            running: 0,
            remaining_weight: open.iter().map(|planned| planned.weight).sum(),
            measured_weight: 0.0,
            measured_seconds: 0.0,
        });
        let next = AtomicUsize::new(0);
        pool.broadcast(|_| {
            while let Some(planned) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.cancel.is_cancelled() || lock(&shared).error.is_some() {
                    break;
                }
                self.run_one(planned, total, workers, &shared, monitor);
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error.into()),
            None => Ok(shared.failures),
        }
    }

    fn run_one(
        &self,
        planned: &Planned,
        total: usize,
        workers: usize,
        shared: &Mutex<Shared<'_>>,
        monitor: &dyn Monitor,
    ) {
        let (instance, contender) = (&self.instances[planned.instance], &self.contenders[planned.contender]);
        let task = Task { instance: instance.name(), algorithm: contender.name(), seed: planned.seed };
        {
            let mut shared = lock(shared);
            shared.running += 1;
            monitor.started(task, &self.progress(&shared, total, workers));
        }
        let result = execute(
            instance,
            contender,
            planned.seed,
            &self.limit,
            self.memory,
            &self.cancel,
            &self.provenance,
        );
        let mut shared = lock(shared);
        shared.running -= 1;
        match result {
            Ok(None) => {}
            Ok(Some(row)) => {
                shared.count(planned.weight, row.runtime_s);
                if let Err(error) = shared.journal.append(row.clone()) {
                    shared.error = Some(error);
                    return;
                }
                monitor.finished(&row, &self.progress(&shared, total, workers));
            }
            Err(failure) => {
                shared.count(planned.weight, 0.0);
                let reason = failure.to_string();
                monitor.failed(task, &reason, &self.progress(&shared, total, workers));
                shared.failures.push(Failure {
                    instance: task.instance.to_string(),
                    algorithm: task.algorithm.to_string(),
                    seed: task.seed,
                    reason,
                });
            }
        }
    }

    fn progress(&self, shared: &Shared<'_>, total: usize, workers: usize) -> Progress {
        // Seconds per weight: measured, else (with a time limit) the full time.
        let rate = if shared.measured_weight > 0.0 {
            Some(shared.measured_seconds / shared.measured_weight)
        } else {
            self.limit.time(1, 1).map(|_| 1.0)
        };
        let remaining = rate.and_then(|rate| {
            Duration::try_from_secs_f64(rate * shared.remaining_weight.max(0.0) / workers as f64).ok()
        });
        Progress { done: shared.done, total, running: shared.running, remaining }
    }
}

impl Shared<'_> {
    fn count(&mut self, weight: f64, seconds: f64) {
        self.done += 1;
        self.remaining_weight -= weight;
        self.measured_weight += weight;
        self.measured_seconds += seconds;
    }
}

fn lock<'a, 'b>(shared: &'a Mutex<Shared<'b>>) -> MutexGuard<'a, Shared<'b>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
