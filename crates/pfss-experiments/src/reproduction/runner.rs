//! Runs a plan: what the journal does not hold yet, group by group and method by method.

use std::path::PathBuf;

use pfss_core::CancelFlag;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::group::Group;
use super::measurement::Measurement;
use super::model::Models;
use super::plan::Plan;
use super::stages::GroupStages;
use crate::{BenchError, Journal, Provenance};

/// A plan that is about to run.
pub struct Reproduction<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The seeds of the methods' random choices.
    pub seeds: &'a [u64],
    /// Whether all is done at a tiny scale.
    pub quick: bool,
    /// The models.
    pub models: &'a Models,
    /// Where benchmark files are looked up.
    pub data: &'a [PathBuf],
    /// How many runs go on at the same time, with one thread each.
    pub workers: usize,
    /// What the rows say about program and machine.
    pub provenance: Provenance,
    /// Ends it: running runs are given up without a row.
    pub cancel: CancelFlag,
}

/// A group after its runs.
pub struct GroupRuns {
    /// The group; smaller than that of the plan in a quick run.
    pub group: Group,
    /// The names of its instances.
    pub instances: Vec<String>,
    /// Why there are none.
    pub skipped: Option<String>,
    /// The methods that take part.
    pub methods: Vec<MethodRuns>,
}

/// The runs of one method on one group.
pub struct MethodRuns {
    /// The method.
    pub method: String,
    /// Its rows, or why there are none.
    pub outcome: Outcome,
}

/// What came of a method on a group.
pub enum Outcome {
    /// A row per instance and seed.
    Rows(Vec<Measurement>),
    /// What is not there: a model, or the time of another method.
    Missing(String),
    /// Something is wrong.
    Failed(String),
}

/// What is under way.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// The plan.
    pub plan: &'a str,
    /// The group.
    pub group: &'a str,
    /// The method.
    pub method: &'a str,
    /// Runs of this method on this group that are still to be made.
    pub open: usize,
}

impl Reproduction<'_> {
    /// Runs what `journal` does not hold yet; `None` when it was cancelled. `tell` hears of every stage.
    ///
    /// # Errors
    /// [`BenchError`] when rows cannot be written or threads not be started.
    pub fn run(
        &self,
        journal: &mut Journal<Measurement>,
        tell: &dyn Fn(Stage<'_>),
    ) -> Result<Option<Vec<GroupRuns>>, BenchError> {
        let pools = self.pools()?;
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
            let mut stages = GroupStages {
                all: self,
                group: &group,
                instances: &instances,
                pools: &pools,
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

    /// One pool of one thread per worker: what a policy would do in parallel stays on it, so that every method is
    /// timed on one thread.
    fn pools(&self) -> Result<Vec<ThreadPool>, BenchError> {
        let build = |_| ThreadPoolBuilder::new().num_threads(1).build();
        (0..self.workers.max(1))
            .map(build)
            .collect::<Result<_, _>>()
            .map_err(|error| BenchError::Workers { workers: self.workers, reason: error.to_string() })
    }
}
