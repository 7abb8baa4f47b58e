//! The methods of one group: each waits for the ones above, whose time it may be given.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pfss_core::{Limits, Seed};
use rayon::ThreadPool;

use super::engine::{BuiltMethod, NotBuilt};
use super::group::{Group, PlanInstance};
use super::measurement::{Measurement, MeasurementKey};
use super::plan::{Limit, Method};
use super::rows::{COST_DIGITS, TIME_DIGITS, rounded};
use super::runner::{MethodRuns, Outcome, Reproduction, Stage};
use crate::{BenchError, Journal, JournalError};

/// The most evaluations of a quick run.
const QUICK_EVALUATIONS: u64 = 1_000;
/// The longest quick run, in seconds.
const QUICK_SECONDS: f64 = 0.01;

/// The methods of one group, one after the other.
pub(super) struct GroupStages<'a, 'b> {
    pub(super) all: &'a Reproduction<'b>,
    pub(super) group: &'a Group,
    pub(super) instances: &'a [(String, PlanInstance)],
    pub(super) pools: &'a [ThreadPool],
    pub(super) done: Vec<MethodRuns>,
}

/// A run that is still to be made.
struct Open {
    instance: usize,
    seed: u64,
}

impl GroupStages<'_, '_> {
    /// Runs a method; `false` when it was cancelled.
    pub(super) fn run(
        &mut self,
        method: &Method,
        journal: &mut Journal<Measurement>,
        tell: &dyn Fn(Stage<'_>),
    ) -> Result<bool, BenchError> {
        let mut rows = Vec::new();
        let mut outcome = None;
        for (training, seeds) in self.variants(method) {
            let built =
                BuiltMethod::new(method, &training, self.group, self.all.plan.problem, self.all.models);
            let (limit, mut built) = match built.and_then(|built| Ok((self.limit(method)?, built))) {
                Ok(both) => both,
                Err(NotBuilt::Missing(what)) => {
                    outcome = Some(Outcome::Missing(what));
                    break;
                }
                Err(NotBuilt::Failed(reason)) => {
                    outcome = Some(Outcome::Failed(reason));
                    break;
                }
            };
            if let (Limit::TimeOf(other), Some(config)) = (&method.limit, built.config.as_object_mut()) {
                // Another model has another time, and so the rows are others.
                config.insert("time-of".to_string(), self.config_of(other).into());
            }
            match self.measure(method, &built, &limit, &seeds, journal, tell)? {
                Ok(Some(made)) => rows.extend(made),
                Ok(None) => return Ok(false),
                Err(reason) => {
                    outcome = Some(Outcome::Failed(reason));
                    break;
                }
            }
        }
        let outcome = outcome.unwrap_or(Outcome::Rows(rows));
        self.done.push(MethodRuns { method: method.id.clone(), outcome });
        Ok(true)
    }

    /// The trainings of a method's model, each with its seeds. The model `NAME` stands for the first seed, and
    /// `NAME-seed2` for seed 2 where there is one. A method without chance gives the same order for every seed: one
    /// run is enough.
    fn variants(&self, method: &Method) -> Vec<(String, Vec<u64>)> {
        let seeds = self.all.seeds;
        let first = seeds.get(..1).unwrap_or_default();
        let model = self.group.fill(&method.model);
        let has_own = |seed: &&u64| !model.is_empty() && self.all.models.has(&format!("{model}-seed{seed}"));
        let own: Vec<u64> = seeds.iter().filter(has_own).copied().collect();
        if own.is_empty() {
            return vec![(String::new(), if method.is_random() { seeds } else { first }.to_vec())];
        }
        let base = first.iter().filter(|seed| !own.contains(seed)).map(|&seed| (String::new(), vec![seed]));
        base.chain(own.iter().map(|&seed| (format!("-seed{seed}"), vec![seed]))).collect()
    }

    fn rows_of(&self, method: &str) -> Option<&[Measurement]> {
        self.done.iter().find(|runs| runs.method == method).and_then(|runs| match &runs.outcome {
            Outcome::Rows(rows) if !rows.is_empty() => Some(rows.as_slice()),
            _ => None,
        })
    }

    fn config_of(&self, method: &str) -> String {
        self.rows_of(method).and_then(|rows| rows.first()).map_or_else(String::new, |row| row.config.clone())
    }

    /// The text that tells the limit and the limit itself.
    fn limit(&self, method: &Method) -> Result<(String, Limits<f64>), NotBuilt> {
        let timed = |seconds: f64| Limits {
            time: Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
            ..Limits::default()
        };
        let quick = self.all.quick;
        Ok(match &method.limit {
            Limit::None => (String::new(), Limits::default()),
            Limit::Evaluations(most) => {
                let most = if quick { QUICK_EVALUATIONS.min(*most) } else { *most };
                (format!("evaluations={most}"), Limits { evaluations: Some(most), ..Limits::default() })
            }
            Limit::Time(most) => {
                let most = if quick { QUICK_SECONDS.min(*most) } else { *most };
                (format!("time={most}s"), timed(most))
            }
            Limit::TimeOf(other) => {
                let Some(rows) = self.rows_of(other) else {
                    return Err(NotBuilt::Missing(format!("no time: `{other}` was not measured")));
                };
                let mean = rows.iter().map(|row| row.runtime_s).sum::<f64>() / rows.len() as f64;
                (format!("time-of={other}"), timed(mean))
            }
        })
    }

    /// The rows of a method, those that were there and new ones; `Ok(None)` when it was cancelled.
    #[allow(clippy::type_complexity)]
    fn measure(
        &self,
        method: &Method,
        built: &BuiltMethod,
        (limit_text, limits): &(String, Limits<f64>),
        seeds: &[u64],
        journal: &mut Journal<Measurement>,
        tell: &dyn Fn(Stage<'_>),
    ) -> Result<Result<Option<Vec<Measurement>>, String>, BenchError> {
        let config = built.config.to_string();
        let key = |instance: usize, seed: u64| MeasurementKey {
            instance: self.instances[instance].0.clone(),
            method: method.id.clone(),
            config: config.clone(),
            limit: limit_text.clone(),
            seed,
        };
        let planned: Vec<Open> = (0..self.instances.len())
            .flat_map(|instance| seeds.iter().map(move |&seed| Open { instance, seed }))
            .collect();
        let of_method = |row: &&Measurement| row.method == method.id && row.config == config;
        let there: HashMap<MeasurementKey, Measurement> =
            journal.rows().iter().filter(of_method).map(|row| (row.key(), row.clone())).collect();
        let open: Vec<&Open> =
            planned.iter().filter(|open| !there.contains_key(&key(open.instance, open.seed))).collect();
        let stage = Stage {
            plan: &self.all.plan.name,
            group: &self.group.label,
            method: &method.label,
            open: open.len(),
        };
        tell(stage);
        let all = self.all;
        let make = |open: &Open| -> Result<Measurement, String> {
            let (name, instance) = &self.instances[open.instance];
            let seed = Seed::new(open.seed).child("reproduction").nth(open.instance as u64);
            let result =
                built.engine.run(instance, seed, *limits, &all.cancel).map_err(|error| error.to_string())?;
            Ok(Measurement {
                group: self.group.id.clone(),
                instance: name.clone(),
                method: method.id.clone(),
                config: config.clone(),
                limit: limit_text.clone(),
                seed: open.seed,
                // As the kept rows have them, so that these give the summary again to the last bit.
                cost: rounded(result.cost, COST_DIGITS),
                bound: result.bound,
                proven: result.proven,
                runtime_s: rounded(result.seconds, TIME_DIGITS),
                evaluations: result.evaluations,
                version: all.provenance.version.clone(),
                commit: all.provenance.commit.clone(),
                cpu: all.provenance.cpu.clone(),
                workers: all.workers,
            })
        };
        let made = self.work(&open, &make, journal)?;
        if let Some(reason) = made {
            return Ok(Err(reason));
        }
        if all.cancel.is_cancelled() {
            return Ok(Ok(None));
        }
        let now: HashMap<MeasurementKey, &Measurement> =
            journal.rows().iter().filter(of_method).map(|row| (row.key(), row)).collect();
        let rows =
            planned.iter().filter_map(|open| now.get(&key(open.instance, open.seed)).map(|&row| row.clone()));
        Ok(Ok(Some(rows.collect())))
    }

    /// The workers take the open runs one after the other and write each row at once. Gives the first failure.
    fn work(
        &self,
        open: &[&Open],
        make: &(dyn Fn(&Open) -> Result<Measurement, String> + Sync),
        journal: &mut Journal<Measurement>,
    ) -> Result<Option<String>, BenchError> {
        let next = AtomicUsize::new(0);
        let shared: Mutex<(&mut Journal<Measurement>, Option<String>, Option<JournalError>)> =
            Mutex::new((journal, None, None));
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = || {
            while let Some(one) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.all.cancel.is_cancelled() {
                    return;
                }
                let made = make(one);
                let mut state = lock();
                // What was cut short is no result.
                if self.all.cancel.is_cancelled() || state.1.is_some() || state.2.is_some() {
                    return;
                }
                match made {
                    Ok(row) => state.2 = state.0.append(row).err(),
                    Err(reason) => state.1 = Some(reason),
                }
            }
        };
        let workers = self.pools.len().min(open.len());
        std::thread::scope(|scope| {
            for pool in &self.pools[..workers] {
                scope.spawn(|| pool.install(worker));
            }
        });
        let (_, failure, error) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match error {
            Some(error) => Err(error.into()),
            None => Ok(failure),
        }
    }
}
