//! A sequence of jobs with the state behind every position.

use super::front::FrontRules;
use super::tails::Tails;
use crate::JobId;
use crate::simd::MOST_LANES;
use crate::timing::{Line, Objective};

/// Jobs in order; states, costs and latenesses behind every position.
#[derive(Clone, Debug)]
pub(super) struct Sequence<'l> {
    pub(super) rules: FrontRules<'l>,
    pub(super) order: Vec<JobId>,
    /// By number of jobs: the state behind so many.
    states: Vec<u32>,
    /// By number of jobs: what they cost, without constants, makespan and lateness. Behind the last one the same for as many
    /// as there are lanes.
    pub(super) costs: Vec<u64>,
    /// By number of jobs: the greatest shifted lateness.
    pub(super) latenesses: Vec<u32>,
    /// What the jobs cost whatever their order.
    pub(super) constant: u64,
    /// Where the makespan alone counts and is a longest path.
    pub(super) tails: Option<Tails>,
}

impl<'l> Sequence<'l> {
    pub(super) fn new(line: &'l Line) -> Self {
        let rules = FrontRules::new(line);
        let mut states = vec![0; rules.width()];
        rules.begin(&mut states);
        let is_makespan = line.objectives().eq([Objective::Makespan]);
        let tails = (is_makespan && rules.has_paths()).then(|| Tails::new(line.num_machines()));
        let costs = vec![0; 1 + MOST_LANES];
        Self { rules, order: Vec::new(), states, costs, latenesses: vec![0], constant: 0, tails }
    }

    pub(super) fn line(&self) -> &'l Line {
        self.rules.line()
    }

    /// The state behind the first `count` jobs.
    #[inline(always)]
    pub(super) fn state(&self, count: usize) -> &[u32] {
        let width = self.rules.width();
        &self.states[count * width..(count + 1) * width]
    }

    /// Computes everything behind the first `count` jobs anew; the last `same` jobs are still the same.
    pub(super) fn refresh(&mut self, count: usize, same: usize) {
        if let Some(tails) = &mut self.tails {
            tails.keep(same);
        }
        let (width, len) = (self.rules.width(), self.order.len());
        self.states.resize((len + 1) * width, 0);
        self.costs.resize(len + 1 + MOST_LANES, 0);
        self.latenesses.resize(len + 1, 0);
        let line = self.line();
        if self.tails.is_some() {
            for position in count..len {
                let before = position.checked_sub(1).map(|before| self.order[before]);
                let (old, new) = self.states[position * width..(position + 2) * width].split_at_mut(width);
                self.rules.step(before, self.order[position], old, new);
            }
            return;
        }
        for position in count..len {
            let job = self.order[position];
            let before = position.checked_sub(1).map(|before| self.order[before]);
            let (old, new) = self.states[position * width..(position + 2) * width].split_at_mut(width);
            let end = self.rules.step(before, job, old, new);
            let cost = line.job_cost(job);
            self.costs[position + 1] = self.costs[position] + cost.at(end) - cost.constant;
            let lateness = cost.lateness.map_or(0, |shifted| shifted + end);
            self.latenesses[position + 1] = self.latenesses[position].max(lateness);
        }
        let total = self.costs[len];
        self.costs[len..].fill(total);
        self.constant = self.order.iter().map(|&job| line.job_cost(job).constant).sum();
    }

    /// The score of the sequence.
    pub(super) fn score(&self) -> u64 {
        let (makespan, lateness) = self.greatest();
        self.constant + self.costs[self.order.len()] + self.of_greatest(makespan, lateness)
    }

    /// Whether a further job makes no other job earlier, wherever it is put. Set-ups may be shorter by way of another job.
    pub(super) fn only_delays(&self) -> bool {
        self.tails.is_none() && !self.line().has_setups()
    }

    /// The greatest end and the greatest shifted lateness.
    pub(super) fn greatest(&self) -> (u32, u32) {
        let len = self.order.len();
        let makespan = if len == 0 { 0 } else { self.state(len)[self.line().num_machines() - 1] };
        (makespan, self.latenesses[len])
    }

    /// What makespan and greatest lateness add to a score.
    #[inline(always)]
    pub(super) fn of_greatest(&self, makespan: u32, lateness: u32) -> u64 {
        let (unit, lateness_unit) = self.line().costs_of_greatest();
        unit * u64::from(makespan) + lateness_unit * u64::from(lateness)
    }

    /// The score of the sequence that has the first `count` jobs and then `rest`, or a score of at least `cutoff` when it is
    /// none below. `buffer` is room for two states.
    pub(super) fn price(
        &self,
        count: usize,
        rest: impl Iterator<Item = JobId>,
        constant: u64,
        cutoff: u64,
        buffer: &mut Vec<u32>,
    ) -> u64 {
        let (width, line) = (self.rules.width(), self.line());
        buffer.clear();
        buffer.extend_from_slice(self.state(count));
        buffer.resize(2 * width, 0);
        let (mut old, mut new) = buffer.split_at_mut(width);
        let mut before = count.checked_sub(1).map(|before| self.order[before]);
        let (mut cost, mut lateness) = (self.costs[count] + constant, self.latenesses[count]);
        let mut end = if count == 0 { 0 } else { old[line.num_machines() - 1] };
        for job in rest {
            end = self.rules.step(before, job, old, new);
            let of = line.job_cost(job);
            cost += of.at(end) - of.constant;
            lateness = lateness.max(of.lateness.map_or(0, |shifted| shifted + end));
            if cost + self.of_greatest(end, lateness) >= cutoff {
                return cutoff;
            }
            std::mem::swap(&mut old, &mut new);
            before = Some(job);
        }
        cost + self.of_greatest(end, lateness)
    }
}
