//! The rows of one method on one group: those that the journal holds, and new ones.

use std::ops::ControlFlow;

use pfss::Hands;
use pfss_core::{Limits, Seed};

use super::engine::{BuiltMethod, EngineError, RunResult, result_from_elsewhere};
use super::group::Group;
use super::instances::PlanInstance;
use super::measurement::{Measurement, MeasurementKey};
use super::method::Method;
use super::rows::{COST_DIGITS, TIME_DIGITS, rounded};
use super::runner::{Reproduction, Stage};
use crate::pool::{Event, Pool, There};
use crate::{Journal, JournalError};

/// A method that is ready to run on the instances of a group.
pub(super) struct MethodMeasure<'a, 'b> {
    pub(super) all: &'a Reproduction<'b>,
    pub(super) group: &'a Group,
    pub(super) instances: &'a [(String, PlanInstance)],
    /// Their fingerprints.
    pub(super) hashes: &'a [String],
    pub(super) method: &'a Method,
    pub(super) built: BuiltMethod,
    /// Every setting that its numbers depend on, as text.
    pub(super) config: String,
    /// The text that tells the limit.
    pub(super) limit: String,
    pub(super) limits: Limits<f64>,
}

/// Why a method has no rows.
pub(super) enum NoRows {
    /// It was cut short.
    Cancelled,
    /// A run gave no valid result.
    Failed(String),
}

/// A run of the plan.
struct Planned {
    /// The place of its instance.
    instance: usize,
    seed: u64,
}

impl MethodMeasure<'_, '_> {
    /// A row per instance and seed.
    ///
    /// # Errors
    /// [`JournalError`] when a row cannot be written.
    pub(super) fn rows(
        &self,
        seeds: &[u64],
        pool: &Pool,
        journal: &mut Journal<Measurement>,
        tell: &dyn Fn(Stage<'_>),
    ) -> Result<Result<Vec<Measurement>, NoRows>, JournalError> {
        let planned: Vec<Planned> = (0..self.instances.len())
            .flat_map(|instance| seeds.iter().map(move |&seed| Planned { instance, seed }))
            .collect();
        let (_, open) = journal.split(&planned, |planned| self.key(planned));
        tell(Stage {
            plan: &self.all.plan.name,
            group: &self.group.label,
            method: &self.method.label,
            open: open.len(),
        });
        let watch = |event: Event<'_, &Planned, Measurement, EngineError>| match event {
            Event::Failed(_, failure) => ControlFlow::Break(failure),
            Event::Started(_) | Event::Written(..) => ControlFlow::Continue(()),
        };
        let make = |planned: &&Planned| self.make(planned);
        let hands = self.all.hands.filter(|_| self.is_portable());
        let make_there = hands
            .map(|hands| move |hand: usize, planned: &&Planned| self.make_elsewhere(planned, hands, hand));
        let there = make_there.as_ref().map(|make| There { count: hands.map_or(0, Hands::count), make });
        let ended = pool.run(&open, journal, &self.all.cancel, &make, there, watch)?;
        if let ControlFlow::Break(failure) = ended {
            return Ok(Err(NoRows::Failed(failure.to_string())));
        }
        if self.all.cancel.is_cancelled() {
            return Ok(Err(NoRows::Cancelled));
        }
        let (rows, _) = journal.split(&planned, |planned| self.key(planned));
        Ok(Ok(rows.into_iter().cloned().collect()))
    }

    fn key(&self, planned: &Planned) -> MeasurementKey {
        MeasurementKey {
            instance: self.instances[planned.instance].0.clone(),
            method: self.method.id.clone(),
            config: self.config.clone(),
            limit: self.limit.clone(),
            seed: planned.seed,
        }
    }

    fn make(&self, planned: &Planned) -> Result<Measurement, EngineError> {
        let (_, instance) = &self.instances[planned.instance];
        let result = self.built.engine.run(instance, seed_of(planned), self.limits, &self.all.cancel)?;
        Ok(self.row(planned, result))
    }

    /// Has one of the hands make the run; what nobody else can make is made here.
    fn make_elsewhere(
        &self,
        planned: &Planned,
        hands: &dyn Hands,
        hand: usize,
    ) -> Result<Measurement, EngineError> {
        let (_, instance) = &self.instances[planned.instance];
        let Some(piece) = self.built.piece(self.method, instance, seed_of(planned)) else {
            return self.make(planned);
        };
        let made = hands.make(hand, &piece.with_limits(&self.limits))?;
        Ok(self.row(planned, result_from_elsewhere(instance, made)?))
    }

    /// Whether others can make its runs.
    fn is_portable(&self) -> bool {
        let first = self.instances.first();
        first.is_some_and(|(_, instance)| self.built.piece(self.method, instance, Seed::new(0)).is_some())
    }

    fn row(&self, planned: &Planned, result: RunResult) -> Measurement {
        let name = &self.instances[planned.instance].0;
        let provenance = &self.all.provenance;
        Measurement {
            group: self.group.id.clone(),
            instance: name.clone(),
            method: self.method.id.clone(),
            config: self.config.clone(),
            limit: self.limit.clone(),
            seed: planned.seed,
            // As the kept rows have them, so that these give the summary again to the last bit.
            cost: rounded(result.cost, COST_DIGITS),
            bound: result.bound,
            proven: result.proven,
            runtime_s: rounded(result.seconds, TIME_DIGITS),
            evaluations: result.evaluations,
            version: provenance.version.clone(),
            commit: provenance.commit.clone(),
            cpu: provenance.cpu.clone(),
            workers: self.all.workers,
            instance_hash: self.hashes[planned.instance].clone(),
        }
    }
}

/// What the random choices of a run are drawn from.
fn seed_of(planned: &Planned) -> Seed {
    Seed::new(planned.seed).child("reproduction").nth(planned.instance as u64)
}
