//! The bound of a line behind some jobs.
//!
//! On each machine on its own, with heads (what happens before, at least) and tails (what happens behind, at least), every
//! objective has a relaxation that is solved exactly. Buffers, waiting and precedence are left out; a set-up is as long as the
//! shortest that may come before the job.

use std::collections::BTreeMap;

use super::calendar::Calendar;
use super::machine::{Operation, Workshop, late_operations, weighted_ends};
use crate::JobId;
use crate::permutation::job_id;
use crate::timing::pricing::{Front, FrontRules};
use crate::timing::{Line, Score};

/// Weighted sums over jobs with many different weights are bounded in so many layers.
const MOST_LAYERS: usize = 6;

/// Of lines with more operations only so many machines are looked at: bounds must not take minutes.
const MANY_OPERATIONS: usize = 400_000;
const FEW_MACHINES: usize = 4;

/// Operations that are looked at between two looks at the limits.
const OPERATIONS_PER_LOOK: usize = 20_000;

/// A score that no order undercuts.
pub fn lower_bound(line: &Line) -> Score {
    lower_bound_while(line, &|| true)
}

/// The same; a weaker one where `go_on` ends it.
pub(crate) fn lower_bound_while(line: &Line, go_on: &dyn Fn() -> bool) -> Score {
    let rules = FrontRules::new(line);
    let mut front = Front::new(&rules);
    let (mut cost, mut lateness, mut end) = (0, 0, 0);
    for &job in line.first() {
        end = front.append(&rules, job);
        cost += line.job_cost(job).at(end);
        lateness = lateness.max(line.job_cost(job).lateness.map_or(0, |shifted| shifted + end));
    }
    let mut is_fixed = vec![false; line.num_jobs()];
    line.first().iter().for_each(|&job| is_fixed[job as usize] = true);
    let left: Vec<JobId> = (0..job_id(line.num_jobs())).filter(|&job| !is_fixed[job as usize]).collect();
    let mut relaxation = Relaxation::new(line);
    Score(relaxation.bound(go_on, &rules, front.state(), &left, cost, lateness, end, u64::MAX))
}

/// Bounds of a line, and the memory that they need.
#[derive(Clone, Debug)]
pub struct Relaxation<'l> {
    line: &'l Line,
    /// The machines that are looked at, those with most work first.
    machines: Vec<usize>,
    calendars: Vec<Calendar>,
    /// By job and machine: the shortest set-up that may come before it; empty where there are none.
    setups: Vec<u32>,
    /// By job and machine: the work behind the machine.
    tails: Vec<u32>,
    /// Lower limits of layers of weights, ascending from 0.
    layers: Vec<u32>,
    heads: Vec<u32>,
    operations: Vec<Operation>,
    part: Vec<Operation>,
    ends: Vec<u32>,
    dues: Vec<i64>,
    workshop: Workshop,
    kinds: Kinds,
    /// Operations since the last look at the limits, and whether these ended the last bound.
    unseen: usize,
    is_cut: bool,
}

/// What the objectives ask for, each with what a unit adds to the score.
#[derive(Clone, Copy, Debug)]
struct Kinds {
    makespan: u64,
    max_lateness: u64,
    completion: u64,
    tardiness: u64,
    late: u64,
    has_equal_weights: bool,
}

impl<'l> Relaxation<'l> {
    /// For a line.
    pub fn new(line: &'l Line) -> Self {
        let (n, m) = (line.num_jobs(), line.num_machines());
        let jobs = || 0..job_id(n);
        let mut tails = vec![0; n * m];
        for job in jobs() {
            let row = &mut tails[job as usize * m..][..m];
            for machine in (0..m - 1).rev() {
                row[machine] = row[machine + 1] + line.shop().time(job, machine + 1);
            }
        }
        let mut weights: Vec<u32> = jobs().map(|job| line.scaled_weight(job)).collect();
        weights.sort_unstable();
        weights.dedup();
        weights.retain(|&weight| weight > 0);
        let unit = |of: fn(&crate::timing::JobCost) -> u64| {
            let job = jobs().find(|&job| line.scaled_weight(job) > 0 && of(line.job_cost(job)) > 0);
            job.map_or(0, |job| of(line.job_cost(job)) / u64::from(line.scaled_weight(job)))
        };
        let (makespan, max_lateness) = line.costs_of_greatest();
        let kinds = Kinds {
            makespan,
            max_lateness,
            completion: unit(|cost| cost.completion),
            tardiness: unit(|cost| cost.tardiness),
            late: unit(|cost| cost.late),
            has_equal_weights: jobs().all(|job| line.scaled_weight(job) == line.scaled_weight(0)),
        };
        let mut machines: Vec<usize> = (0..m).collect();
        let work = |machine: usize| jobs().map(|job| u64::from(line.shop().time(job, machine))).sum::<u64>();
        machines.sort_by_cached_key(|&machine| std::cmp::Reverse(work(machine)));
        if n * m > MANY_OPERATIONS {
            machines.truncate(FEW_MACHINES);
        }
        let step = weights.len().div_ceil(MOST_LAYERS).max(1);
        Self {
            line,
            machines,
            calendars: (0..m).map(|machine| Calendar::new(line.breaks(machine))).collect(),
            setups: shortest_setups(line),
            tails,
            layers: std::iter::once(0).chain(weights.into_iter().step_by(step)).collect(),
            heads: Vec::new(),
            operations: Vec::new(),
            part: Vec::new(),
            ends: Vec::new(),
            dues: Vec::new(),
            workshop: Workshop::default(),
            kinds,
            unseen: 0,
            is_cut: false,
        }
    }

    /// Whether the limits ended the last bound, which is then weaker than it could be.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Counts operations, and looks from time to time; tells whether the bound may go on.
    fn goes_on(&mut self, operations: usize, go_on: &dyn Fn() -> bool) -> bool {
        self.unseen += operations;
        if self.unseen >= OPERATIONS_PER_LOOK {
            self.unseen = 0;
            self.is_cut |= !go_on();
        }
        !self.is_cut
    }

    /// A score that no order undercuts that goes on with the jobs `left` from a state, where the jobs before cost `cost` (with
    /// constants), have the greatest shifted lateness `lateness` and end at `end`. What reaches `cutoff` need not be the best
    /// bound, and `go_on`, which is asked every few milliseconds, may end it with a weaker one.
    #[allow(clippy::too_many_arguments, reason = "a node of a search, unpacked")]
    pub fn bound(
        &mut self,
        go_on: &dyn Fn() -> bool,
        rules: &FrontRules<'_>,
        state: &[u32],
        left: &[JobId],
        cost: u64,
        lateness: u32,
        end: u32,
        cutoff: u64,
    ) -> u64 {
        let line = self.line;
        self.is_cut = false;
        let has_heads = self.find_heads(go_on, rules, state, left);
        let shift = line.lateness_shift();
        let constants: u64 = left.iter().map(|&job| line.job_cost(job).constant).sum();
        let (mut makespan, mut latest, mut completion, mut tardiness, mut late) =
            (u64::from(end), i64::from(lateness), 0, 0, 0);
        let total =
            |makespan: u64, latest: i64, completion: u64, tardiness: u64, late: u64, kinds: &Kinds| {
                cost + constants
                    + kinds.makespan * makespan
                    + kinds.max_lateness * latest.max(0).unsigned_abs()
                    + kinds.completion * completion
                    + kinds.tardiness * tardiness
                    + kinds.late * late
            };
        let looked_at = if has_heads { self.machines.len() } else { 0 };
        for index in 0..looked_at {
            let machine = self.machines[index];
            self.gather(machine, state, left);
            let calendar = std::mem::take(&mut self.calendars[machine]);
            let time = |worked: u32| if calendar.is_empty() { worked } else { calendar.time(worked) };
            let kinds = self.kinds;
            if kinds.makespan > 0 && self.goes_on(left.len(), go_on) {
                let due = |operation: &Operation| -i64::from(operation.tail);
                let greatest = self.workshop.greatest_lateness(&self.operations, due, time);
                makespan = makespan.max(greatest.unwrap_or(0).max(0).unsigned_abs());
            }
            if kinds.max_lateness > 0 && self.goes_on(left.len(), go_on) {
                self.part.clear();
                self.part.extend(self.operations.iter().filter(|operation| operation.due.is_some()));
                let due = |operation: &Operation| operation.due.unwrap_or(i64::MAX);
                let greatest = self.workshop.greatest_lateness(&self.part, due, time);
                latest = latest.max(greatest.map_or(0, |greatest| greatest + shift));
            }
            if kinds.completion > 0 && self.goes_on(left.len(), go_on) {
                completion = completion.max(self.completion(time));
            }
            if kinds.tardiness > 0 || kinds.late > 0 {
                let (sum, count) = self.lateness_sums(go_on, time);
                tardiness = tardiness.max(sum);
                late = late.max(count);
            }
            self.calendars[machine] = calendar;
            let is_enough = total(makespan, latest, completion, tardiness, late, &self.kinds) >= cutoff;
            if is_enough || self.is_cut {
                break;
            }
        }
        total(makespan, latest, completion, tardiness, late, &self.kinds)
    }

    /// By job and machine: when each job that is left can start, as if it were the next one. Tells whether it came to the end.
    fn find_heads(
        &mut self,
        go_on: &dyn Fn() -> bool,
        rules: &FrontRules<'_>,
        state: &[u32],
        left: &[JobId],
    ) -> bool {
        let m = self.line.num_machines();
        self.heads.clear();
        for &job in left {
            if !self.goes_on(m, go_on) {
                return false;
            }
            let mut arrival = self.line.release(job);
            for (machine, &time) in self.line.shop().job(job).iter().enumerate() {
                let setup = self.setups.get(job as usize * m + machine).copied().unwrap_or(0);
                let (start, end) = rules.work(machine, arrival.max(state[machine] + setup), time);
                self.heads.push(start);
                arrival = end;
            }
        }
        true
    }

    /// The operations of a machine. A set-up is work that needs no job; machines with breaks leave set-ups out, because these
    /// go on in breaks.
    fn gather(&mut self, machine: usize, state: &[u32], left: &[JobId]) {
        let (line, m) = (self.line, self.line.num_machines());
        let calendar = &self.calendars[machine];
        self.operations.clear();
        for (index, &job) in left.iter().enumerate() {
            let (head, place) = (self.heads[index * m + machine], job as usize * m + machine);
            let (time, tail) = (line.shop().time(job, machine), self.tails[place]);
            let (head, work) = if calendar.is_empty() {
                let setup = self.setups.get(place).copied().unwrap_or(0);
                (head.saturating_sub(setup).max(state[machine]), time + setup)
            } else {
                (calendar.worked(head), time)
            };
            // What is due before time 0 is in the constants of the score; for latenesses the date itself counts.
            let due = line.due(job).map(|due| due - i64::from(tail));
            self.operations.push(Operation { head, work, tail, due, weight: line.scaled_weight(job) });
        }
    }

    /// The least weighted sum of completions.
    fn completion(&mut self, time: impl Fn(u32) -> u32 + Copy) -> u64 {
        let of = |operation: &Operation| u64::from(operation.weight);
        let tails: u64 = self.operations.iter().map(|each| of(each) * u64::from(each.tail)).sum();
        let alone: u64 =
            self.operations.iter().map(|each| of(each) * u64::from(time(each.head + each.work))).sum();
        let together = if self.kinds.has_equal_weights {
            self.workshop.earliest_ends(&self.operations, &mut self.ends);
            let weight = self.operations.first().map_or(0, of);
            weight * self.ends.iter().map(|&end| u64::from(time(end))).sum::<u64>()
        } else {
            self.part.clone_from(&self.operations);
            weighted_ends(&mut self.part, time)
        };
        tails + alone.max(together)
    }

    /// The least weighted sum of tardiness, without what is due before time 0, and the least weighted number of late jobs
    /// that are due later. Jobs are taken in layers: a weight is the sum of the layers that it reaches.
    fn lateness_sums(&mut self, go_on: &dyn Fn() -> bool, time: impl Fn(u32) -> u32 + Copy) -> (u64, u64) {
        let (mut tardiness, mut late, mut alone, mut alone_late) = (0, 0, 0, 0);
        for operation in &self.operations {
            // Of a job that is due before time 0 only the tardiness from 0 on counts here.
            let Some(due) = operation.due else { continue };
            let tail = i64::from(operation.tail);
            let end = i64::from(time(operation.head + operation.work));
            let excess = (end - due.max(-tail)).max(0).unsigned_abs();
            alone += u64::from(operation.weight) * excess;
            alone_late += u64::from(operation.weight) * u64::from(due >= -tail && excess > 0);
        }
        for layer in 1..self.layers.len() {
            let (below, from) = (self.layers[layer - 1], self.layers[layer]);
            self.part.clear();
            self.part.extend(self.operations.iter().filter(|each| each.weight >= from && each.due.is_some()));
            if self.part.is_empty() || !self.goes_on(self.part.len(), go_on) {
                break;
            }
            let share = u64::from(from - below);
            if self.kinds.tardiness > 0 {
                self.workshop.earliest_ends(&self.part, &mut self.ends);
                self.dues.clear();
                self.dues
                    .extend(self.part.iter().map(|each| each.due.unwrap_or(0).max(-i64::from(each.tail))));
                self.dues.sort_unstable();
                let excess = |(&end, &due): (&u32, &i64)| (i64::from(time(end)) - due).max(0).unsigned_abs();
                tardiness += share * self.ends.iter().zip(&self.dues).map(excess).sum::<u64>();
            }
            if self.kinds.late > 0 {
                self.part.retain(|each| each.due >= Some(-i64::from(each.tail)));
                late += share * late_operations(&mut self.part, time);
            }
        }
        (tardiness.max(alone), late.max(alone_late))
    }
}

/// By job and machine: the shortest set-up before it, whatever comes before. Jobs of one family have the same set-ups, so that
/// one of each stands for all.
fn shortest_setups(line: &Line) -> Vec<u32> {
    if !line.has_setups() {
        return Vec::new();
    }
    let (jobs, m) = (0..job_id(line.num_jobs()), line.num_machines());
    let mut firsts = BTreeMap::new();
    jobs.clone().for_each(|job| _ = firsts.entry(line.family(job)).or_insert(job));
    let befores: Vec<_> = firsts.values().map(|&job| Some(job)).chain([None]).collect();
    let shortest_of = |job: JobId| {
        let mut shortest = vec![u32::MAX; m];
        for &before in &befores {
            for (shortest, &setup) in shortest.iter_mut().zip(line.setups(before, job)) {
                *shortest = setup.min(*shortest);
            }
        }
        shortest
    };
    let shortest: BTreeMap<u32, Vec<u32>> =
        firsts.iter().map(|(&family, &job)| (family, shortest_of(job))).collect();
    jobs.flat_map(|job| shortest[&line.family(job)].iter().copied()).collect()
}
