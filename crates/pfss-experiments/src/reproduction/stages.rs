//! Runs a plan: what the journal does not hold yet, group by group and method by method. A method waits for the ones above,
//! whose time it may be given.

use std::time::Duration;

use pfss_core::Limits;

use super::engine::{BuiltMethod, NotBuilt};
use super::group::Group;
use super::instances::PlanInstance;
use super::measure::{MethodMeasure, NoRows};
use super::measurement::Measurement;
use super::method::{Limit, Method};
use super::runner::{Reproduction, Stage};
use super::runs::{GroupRuns, MethodRuns, Outcome};
use crate::pool::Pool;
use crate::{BenchError, Journal};

/// The most evaluations of a quick run.
const QUICK_EVALUATIONS: u64 = 1_000;
/// The longest quick run, in seconds.
const QUICK_SECONDS: f64 = 0.01;

/// The methods of one group, one after the other.
struct GroupStages<'a, 'b> {
    all: &'a Reproduction<'b>,
    group: &'a Group,
    instances: &'a [(String, PlanInstance)],
    hashes: &'a [String],
    pool: &'a Pool,
    done: Vec<MethodRuns>,
}

impl Reproduction<'_> {
    /// Runs what `journal` does not hold yet; `None` when it was cancelled. `tell` hears of every stage.
    ///
    /// # Errors
    /// [`BenchError`] when rows are of another instance of the same name, cannot be written, or threads not be started.
    pub fn run(
        &self,
        journal: &mut Journal<Measurement>,
        tell: &dyn Fn(Stage<'_>),
    ) -> Result<Option<Vec<GroupRuns>>, BenchError> {
        let pool = Pool::new(self.workers)?;
        let mut runs = Vec::new();
        for (at, planned) in self.plan.groups.iter().enumerate() {
            let Some(group) = (if self.quick { planned.quick(at) } else { Some(planned.clone()) }) else {
                continue;
            };
            let instances = match group.instances(self.plan.data_seed, self.data) {
                Ok(instances) => instances,
                Err(reason) => {
                    runs.push(GroupRuns {
                        group,
                        instances: Vec::new(),
                        skipped: Some(reason),
                        methods: Vec::new(),
                    });
                    continue;
                }
            };
            let hashes: Vec<String> = instances.iter().map(|(_, instance)| instance.hash()).collect();
            let names = instances.iter().map(|(name, _)| name.as_str());
            journal.check_instances(names.zip(hashes.iter().map(String::as_str)))?;
            let mut stages = GroupStages {
                all: self,
                group: &group,
                instances: &instances,
                hashes: &hashes,
                pool: &pool,
                done: Vec::new(),
            };
            for method in self.plan.methods.iter().filter(|method| self.plan.takes_part(method, &group)) {
                if !stages.run(method, journal, tell)? {
                    return Ok(None);
                }
            }
            let methods = stages.done;
            let instances = instances.into_iter().map(|(name, _)| name).collect();
            runs.push(GroupRuns { group, instances, skipped: None, methods });
        }
        Ok(Some(runs))
    }
}

impl GroupStages<'_, '_> {
    /// Runs a method; `false` when it was cancelled.
    fn run(
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
            let (limit_text, limits) = limit;
            let measure = MethodMeasure {
                all: self.all,
                group: self.group,
                instances: self.instances,
                hashes: self.hashes,
                method,
                config: built.config.to_string(),
                built,
                limit: limit_text,
                limits,
            };
            match measure.rows(&seeds, self.pool, journal, tell)? {
                Ok(made) => rows.extend(made),
                Err(NoRows::Cancelled) => return Ok(false),
                Err(NoRows::Failed(reason)) => {
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
    /// `NAME-seed2` for seed 2 where there is one. A method that draws no random numbers gives the same order for every seed: one
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
}
