//! Prices all places of a job, or all changes over a distance, register by register.

use std::ops::Range;

use super::lanes::{Block, Results, Stop, View};
use super::rows::{CostKinds, Rows, Tick, Total};
use super::sequence::Sequence;
use super::steps::Change;
use crate::JobId;
use crate::simd::{Instructions, MOST_LANES};
use crate::timing::{Gap, Line};

/// The most runs of neighbours that a change leaves.
const MOST_RUNS: usize = 4;

/// A sequence in rows, and the memory of a pricing.
#[derive(Clone, Debug)]
pub(super) struct Engine<E, S> {
    instructions: Instructions,
    lanes: usize,
    gaps: Vec<Gap>,
    kinds: CostKinds,
    rows: Rows<E, S>,
    /// The job that is put in, in every lane.
    external: Rows<E, S>,
    heads: Vec<E>,
    joints: [Vec<E>; MOST_RUNS],
    results: Results,
}

impl<E: Tick, S: Total> Engine<E, S> {
    pub(super) fn new(line: &Line, instructions: Instructions) -> Self {
        let m = line.num_machines();
        Self {
            instructions,
            lanes: instructions.register_bits() / (8 * size_of::<E>()),
            gaps: (0..m).map(|machine| line.gap(machine)).collect(),
            kinds: CostKinds::of(line),
            rows: Rows::new(line, line.num_jobs()),
            external: Rows::new(line, MOST_LANES),
            heads: vec![E::default(); m * MOST_LANES],
            joints: std::array::from_fn(|_| Vec::new()),
            results: Results::ZERO,
        }
    }

    /// The rows of the sequence, which follow its changes.
    pub(super) fn rows(&mut self) -> &mut Rows<E, S> {
        &mut self.rows
    }

    /// Brings tails up to date, where there are any.
    pub(super) fn complete_tails(&mut self, sequence: &mut Sequence<'_>) {
        self.rows.complete_tails(sequence);
    }

    /// Writes the prices of `job` at these places. Of those above the least and of those from `cutoff` on, some are only known
    /// to be so high.
    pub(super) fn price_places(
        &mut self,
        sequence: &Sequence<'_>,
        job: JobId,
        places: Range<usize>,
        mut cutoff: u64,
        prices: &mut [u64],
    ) {
        let (line, len) = (sequence.line(), sequence.order.len());
        self.external.fill(line, job);
        let constant = sequence.constant + line.job_cost(job).constant;
        let (makespan, lateness) = sequence.greatest();
        let floor = constant + sequence.of_greatest(makespan, lateness);
        // The last places first: they cost least, and due dates in order put a job there.
        for start in places.clone().step_by(self.lanes).rev() {
            if line.has_setups() {
                let job_at = |position: usize| sequence.order.get(position).copied();
                fill(&mut self.joints[0], line, self.lanes, |lane| {
                    let before = (start + lane).checked_sub(1);
                    Some((before.and_then(job_at), job))
                });
                fill(&mut self.joints[1], line, self.lanes, |lane| Some((Some(job), job_at(start + lane)?)));
            }
            let views = [
                View { rows: &self.external, columns: 0..1, joint: &self.joints[0] },
                View { rows: &self.rows, columns: start..len, joint: &self.joints[1] },
            ];
            let tail = sequence.tails.as_ref().map(|_| self.rows.tail_column(len - start));
            let block = Block {
                gaps: &self.gaps,
                kinds: self.kinds,
                is_open: sequence.rules.is_open(),
                rows: &self.rows,
                start,
                views: if tail.is_some() { &views[..1] } else { &views },
                tail,
                stop: sequence.only_delays().then(|| Stop {
                    limit: cutoff.saturating_sub(floor),
                    costs: &sequence.costs,
                    total: sequence.costs[len],
                    makespan,
                    lateness,
                }),
                heads: &mut self.heads,
                results: &mut self.results,
            };
            self.instructions.run(block);
            let prices = &mut prices[start..places.end.min(start + self.lanes)];
            self.results.write(sequence, constant, start, len - start, prices);
            cutoff = prices.iter().fold(cutoff, |cutoff, price| cutoff.min(price.saturating_add(1)));
        }
    }

    /// Writes the prices of a change over `distance` at these positions.
    pub(super) fn price_changes(
        &mut self,
        sequence: &Sequence<'_>,
        change: Change,
        distance: usize,
        positions: Range<usize>,
        prices: &mut [u64],
    ) {
        let (line, len) = (sequence.line(), sequence.order.len());
        for start in positions.clone().step_by(self.lanes) {
            let runs = change.runs(start, distance, len);
            if line.has_setups() {
                self.join(sequence, start, &runs);
            }
            let mut views = runs.into_iter().zip(&self.joints).map(|(columns, joint)| {
                let rows = &self.rows;
                View { rows, columns, joint }
            });
            let views: [_; MOST_RUNS] = std::array::from_fn(|_| views.next()).map(|view| {
                // There are as many runs as places for them.
                view.unwrap_or(View { rows: &self.rows, columns: 0..0, joint: &[] })
            });
            let left = len - start - distance - 1;
            let tail = sequence.tails.as_ref().map(|_| self.rows.tail_column(left));
            let block = Block {
                gaps: &self.gaps,
                kinds: self.kinds,
                is_open: sequence.rules.is_open(),
                rows: &self.rows,
                start,
                views: if tail.is_some() { &views[..MOST_RUNS - 1] } else { &views },
                tail,
                stop: None,
                heads: &mut self.heads,
                results: &mut self.results,
            };
            self.instructions.run(block);
            let end = positions.end.min(start + self.lanes);
            self.results.write(sequence, sequence.constant, start, left, &mut prices[start..end]);
        }
    }

    /// Writes the set-ups between runs.
    fn join(&mut self, sequence: &Sequence<'_>, start: usize, runs: &[Range<usize>; MOST_RUNS]) {
        let job_at = |position: usize| sequence.order.get(position).copied();
        // One more than the position before, so that there is none at the beginning.
        let mut behind = start;
        for (run, joint) in runs.iter().zip(&mut self.joints) {
            if run.is_empty() {
                continue;
            }
            fill(joint, sequence.line(), self.lanes, |lane| {
                let before = (behind + lane).checked_sub(1);
                let before = before.map_or(Some(None), |before| job_at(before).map(Some))?;
                Some((before, job_at(run.start + lane)?))
            });
            behind = run.end;
        }
    }
}

/// Writes set-ups between pairs of jobs, by machine and lane; none where a lane has no job.
fn fill<E: Tick>(
    joint: &mut Vec<E>,
    line: &Line,
    lanes: usize,
    pair: impl Fn(usize) -> Option<(Option<JobId>, JobId)>,
) {
    joint.clear();
    joint.resize(line.num_machines() * lanes, E::default());
    for lane in 0..lanes {
        if let Some((before, job)) = pair(lane) {
            for (machine, &setup) in line.setups(before, job).iter().enumerate() {
                joint[machine * lanes + lane] = E::wrap(setup);
            }
        }
    }
}

impl Results {
    /// Writes the scores of the lanes, which began at `start` and in the first of which `left` jobs follow the changed ones.
    fn write(&self, sequence: &Sequence<'_>, constant: u64, start: usize, left: usize, prices: &mut [u64]) {
        if let Some(tails) = &sequence.tails {
            for (lane, price) in prices.iter_mut().enumerate() {
                let path = tails.release(left - lane);
                *price = constant + sequence.of_greatest(self.makespans[lane].max(path), 0);
            }
            return;
        }
        for (lane, price) in prices.iter_mut().enumerate() {
            let lateness = sequence.latenesses[start + lane].max(self.latenesses[lane]);
            *price = constant
                + sequence.costs[start + lane]
                + self.costs[lane]
                + sequence.of_greatest(self.makespans[lane], lateness);
        }
    }
}
