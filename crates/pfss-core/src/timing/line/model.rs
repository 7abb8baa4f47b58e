//! The planner's flow shop inside: checked, in whole numbers.

use super::jobs::Job;
use super::machines::{Gap, Machine, Setups};
use super::order::Order;
use crate::timing::goals::{Goals, JobCost};
use crate::timing::ticks::Scale;
use crate::timing::{Objective, Score};
use crate::{Instance, JobId, MachineId};

/// An instance with its attributes, checked, in whole numbers of *ticks*.
///
/// A tick is the coarsest decimal part of the user's unit in which all times, releases, due dates, breaks and set-ups are
/// whole numbers, so nothing is ever rounded. Weights have a scale of their own.
#[derive(Clone, Debug)]
pub struct Line {
    pub(super) shop: Instance<u32>,
    pub(super) time: Scale,
    pub(super) weight: Scale,
    pub(super) jobs: Vec<Job>,
    pub(super) machines: Vec<Machine>,
    pub(super) setups: Setups,
    pub(super) order: Order,
    pub(super) goals: Goals,
    pub(super) horizon: u32,
}

impl Line {
    /// The processing times in ticks, with the names.
    pub fn shop(&self) -> &Instance<u32> {
        &self.shop
    }

    /// The number of jobs.
    pub fn num_jobs(&self) -> usize {
        self.shop.num_jobs()
    }

    /// The number of machines.
    pub fn num_machines(&self) -> usize {
        self.shop.num_machines()
    }

    /// How many ticks make one of the user's units of time.
    pub fn ticks_per_unit(&self) -> f64 {
        self.time.per_unit()
    }

    /// Ticks in the user's units.
    pub fn to_units(&self, ticks: impl Into<i64>) -> f64 {
        self.time.to_units(ticks.into())
    }

    /// A value of an objective in ticks, or whole weights, or products of both, in the user's units.
    pub(crate) fn units_of(&self, objective: Objective, value: i128) -> f64 {
        objective.units(value, self.time, self.weight)
    }

    /// A time that no schedule of earliest starts exceeds.
    pub fn horizon(&self) -> u32 {
        self.horizon
    }

    /// The objectives, the most important first.
    pub fn objectives(&self) -> impl Iterator<Item = Objective> + '_ {
        self.goals.objectives()
    }

    /// The values of the objectives in a score, in the user's units.
    pub fn values(&self, score: Score) -> Vec<f64> {
        self.goals.values(score, self.time, self.weight)
    }

    /// The value of the most important objective in a score, in the user's units.
    pub fn value(&self, score: Score) -> f64 {
        self.values(score)[0]
    }

    /// The greatest score whose most important value is at most `value`, a target in the user's units; none where no
    /// order can have so small a value.
    pub fn score_at_most(&self, value: f64) -> Option<Score> {
        self.goals.at_most(value, self.time, self.weight)
    }

    /// The score of a bound on the most important value, in the user's units: nothing is said of the other objectives.
    pub fn score_at_least(&self, value: f64) -> Score {
        self.goals.at_least(value, self.time, self.weight)
    }

    /// A score that no order reaches.
    pub fn score_limit(&self) -> u64 {
        self.goals.limit
    }

    /// What `job` adds to the score, depending on when it is done.
    #[inline(always)]
    pub fn job_cost(&self, job: JobId) -> &JobCost {
        self.goals.cost(job)
    }

    /// What a tick of the makespan, and of the greatest shifted lateness, adds to the score; 0 where it is no objective.
    #[inline(always)]
    pub fn costs_of_greatest(&self) -> (u64, u64) {
        self.goals.of_greatest()
    }

    /// When `job` may start on the first machine.
    #[inline(always)]
    pub fn release(&self, job: JobId) -> u32 {
        self.jobs[job as usize].release
    }

    /// The due date of `job`, which may lie before time 0.
    pub fn due(&self, job: JobId) -> Option<i64> {
        self.jobs[job as usize].due
    }

    /// The weight of `job` in the user's units.
    pub fn weight(&self, job: JobId) -> f64 {
        self.weight.to_units(i64::from(self.jobs[job as usize].weight))
    }

    /// The weight of `job` as a whole number.
    pub fn scaled_weight(&self, job: JobId) -> u32 {
        self.jobs[job as usize].weight
    }

    /// The family of `job`, 0 where it has none.
    pub fn family(&self, job: JobId) -> u32 {
        self.jobs[job as usize].family
    }

    /// What is added to latenesses in scores, so that none is negative.
    pub(crate) fn lateness_shift(&self) -> i64 {
        self.goals.shift
    }

    /// From when on `machine` may be used.
    #[inline(always)]
    pub fn available_from(&self, machine: MachineId) -> u32 {
        self.machines[machine].available_from
    }

    /// The breaks of `machine`, the earliest first.
    pub fn breaks(&self, machine: MachineId) -> &[(u32, u32)] {
        &self.machines[machine].breaks
    }

    /// Whether an operation that meets a break of `machine` is interrupted and goes on; otherwise it waits until it fits.
    pub fn resumes(&self, machine: MachineId) -> bool {
        self.machines[machine].resume
    }

    /// What lies between `machine` and the next.
    #[inline(always)]
    pub fn gap(&self, machine: MachineId) -> Gap {
        self.machines[machine].gap
    }

    /// Whether there are any set-ups.
    #[inline(always)]
    pub fn has_setups(&self) -> bool {
        !self.setups.is_empty()
    }

    /// The set-ups before `job` behind the job `before` (or at the beginning), by machine; empty where no machine has any.
    #[inline(always)]
    pub fn setups(&self, before: Option<JobId>, job: JobId) -> &[u32] {
        let family = |job: JobId| self.jobs[job as usize].family;
        self.setups.between(before.map(family), family(job))
    }

    /// The jobs that are fixed at the beginning.
    pub fn first(&self) -> &[JobId] {
        &self.order.first
    }

    /// All pairs of which the first comes before the second.
    pub fn precedence(&self) -> &[(JobId, JobId)] {
        &self.order.precedence
    }

    /// Whether some job that is not fixed must come before another such job.
    pub fn has_precedence(&self) -> bool {
        !self.order.predecessors.is_empty()
    }

    /// The jobs that must come before `job`, directly; fixed ones are left out.
    pub fn predecessors(&self, job: JobId) -> &[JobId] {
        self.order.predecessors.get(job as usize).map_or(&[], Vec::as_slice)
    }

    /// The jobs that must come after `job`, directly.
    pub fn successors(&self, job: JobId) -> &[JobId] {
        self.order.successors.get(job as usize).map_or(&[], Vec::as_slice)
    }

    /// The plain flow shop that the line is, in ticks: where no release, set-up, break or gap between machines delays an
    /// operation, no job has a fixed place, and the makespan alone is minimised. Due dates, weights and families change
    /// nothing then. This decides, for everybody, which solvers a line has.
    pub fn plain_shop(&self) -> Option<&Instance<u32>> {
        let has_plain_order = self.first().is_empty() && self.precedence().is_empty();
        let is_plain =
            self.has_plain_times() && has_plain_order && self.objectives().eq([Objective::Makespan]);
        is_plain.then_some(&self.shop)
    }

    /// Whether the times between operations are those of the plain flow shop: no release, no set-up, no break, nothing
    /// between machines, all machines available from the beginning.
    fn has_plain_times(&self) -> bool {
        self.jobs.iter().all(|job| job.release == 0)
            && self.machines.iter().all(Machine::is_plain)
            && !self.has_setups()
    }
}
