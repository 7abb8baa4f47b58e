//! Runs every contender on every instance with every seed, in parallel, and skips what is already there.

use std::collections::HashSet;
use std::ops::ControlFlow;

use pfss::Hands;
use pfss_core::CancelFlag;

use crate::execute::{Order, RunFailure, execute, execute_elsewhere};
use crate::fingerprint::is_known;
use crate::pool::{BenchError, Event, Pool, There};
use crate::progress::Meter;
use crate::{BenchInstance, Contender, Journal, Monitor, Provenance, Row, RowKey, RunLimit, Task};

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
    /// Others that make runs beside the workers of this process.
    pub hands: Option<&'a dyn Hands>,
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
    /// How many of those do not tell the fingerprint of their instance, so that only its name speaks for them.
    pub reused_by_name: usize,
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

impl Bench<'_> {
    /// Runs what `journal` does not hold yet, longest runs first, and appends each row as its run ends.
    ///
    /// # Errors
    /// [`BenchError`] when rows are of another instance of the same name, cannot be written, or threads not be started. A
    /// run that fails is no error of the bench: the others go on, and the report tells.
    pub fn run(&self, journal: &mut Journal, monitor: &dyn Monitor) -> Result<Report, BenchError> {
        let hashes: Vec<String> = self.instances.iter().map(BenchInstance::instance_hash).collect();
        let named = self.instances.iter().map(BenchInstance::name).zip(hashes.iter().map(String::as_str));
        journal.check_instances(named)?;
        let plan = self.plan();
        let (old, mut open) = journal.split(&plan, |planned| self.key(planned));
        let reused = old.len();
        let reused_from_elsewhere = old.iter().filter(|row| !self.made_here(row)).count();
        let reused_by_name = old.iter().filter(|row| !is_known(&row.instance_hash)).count();
        // Long runs first: the end of the bench does not wait for one that started last.
        open.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let failures = self.work(&open, plan.len(), &hashes, journal, monitor)?;
        let (rows, _) = journal.split(&plan, |planned| self.key(planned));
        Ok(Report {
            rows: rows.into_iter().cloned().collect(),
            planned: plan.len(),
            reused,
            reused_from_elsewhere,
            reused_by_name,
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

    fn task(&self, planned: &Planned) -> Task<'_> {
        Task {
            instance: self.instances[planned.instance].name(),
            algorithm: self.contenders[planned.contender].name(),
            seed: planned.seed,
        }
    }

    /// Makes the open runs; gives those that failed.
    fn work(
        &self,
        open: &[&Planned],
        total: usize,
        hashes: &[String],
        journal: &mut Journal,
        monitor: &dyn Monitor,
    ) -> Result<Vec<Failure>, BenchError> {
        let workers = self.workers.clamp(1, open.len().max(1));
        let hands = self.hands.map_or(0, Hands::count);
        let mut meter = Meter {
            done: total - open.len(),
            total,
            running: 0,
            workers: (workers + hands).min(open.len().max(1)),
            remaining_weight: open.iter().map(|planned| planned.weight).sum(),
            is_timed: self.limit.time(1, 1).is_some(),
            measured_weight: 0.0,
            measured_seconds: 0.0,
        };
        let mut failures = Vec::new();
        let watch = |event: Event<'_, &Planned, Row, RunFailure>| {
            match event {
                Event::Started(planned) => {
                    meter.running += 1;
                    monitor.started(self.task(planned), &meter.progress());
                }
                Event::Written(planned, row) => {
                    meter.count(planned.weight, row.runtime_s);
                    monitor.finished(row, &meter.progress());
                }
                Event::Failed(planned, failure) => {
                    meter.count(planned.weight, 0.0);
                    let (task, reason) = (self.task(planned), failure.to_string());
                    monitor.failed(task, &reason, &meter.progress());
                    let (instance, algorithm) = (task.instance.to_string(), task.algorithm.to_string());
                    failures.push(Failure { instance, algorithm, seed: task.seed, reason });
                }
            }
            ControlFlow::Continue(())
        };
        let make = |planned: &&Planned| execute(self.order(planned, hashes), &self.cancel);
        let make_there = self.hands.map(|hands| {
            move |hand: usize, planned: &&Planned| execute_elsewhere(self.order(planned, hashes), hands, hand)
        });
        let there = make_there.as_ref().map(|make| There { count: hands, make });
        // Nothing breaks it off: a failure is told, and the others go on.
        let _ = Pool::new(workers)?.run(open, journal, &self.cancel, &make, there, watch)?;
        Ok(failures)
    }

    fn order<'o>(&'o self, planned: &Planned, hashes: &'o [String]) -> Order<'o> {
        Order {
            instance: &self.instances[planned.instance],
            instance_hash: &hashes[planned.instance],
            contender: &self.contenders[planned.contender],
            seed: planned.seed,
            limit: &self.limit,
            memory: self.memory,
            provenance: &self.provenance,
        }
    }
}
