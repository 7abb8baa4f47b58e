//! Branch and bound as a part of the portfolio: much time where it can finish, little where it cannot.

use pfss_core::{Instance, Run, Time};
use pfss_exact::branch_and_bound::TreeSearch;

/// Children priced in one turn, at most: some milliseconds, and far more with many machines.
const SLICE: u64 = 1 << 19;

/// Children priced in the first turn. Turns grow with the work of the others, so that a short limit is not spent on a proof
/// that has hardly begun.
const FIRST_SLICE: u64 = 1 << 12;

/// Larger instances are out of reach: a path through their tree takes too much memory.
pub(crate) const MAX_JOBS: usize = 2000;

/// Children priced before its chances are judged, as a share of all evaluations to come, and at most.
const TRIAL: f64 = 0.02;
const LONGEST_TRIAL: f64 = (1u64 << 25) as f64;

/// Its share of the evaluations during the trial, where it is likely to finish, and where it is not: then it
/// still raises the bound.
const TRIAL_SHARE: f64 = 0.25;
const LIKELY_SHARE: f64 = 0.6;
const UNLIKELY_SHARE: f64 = 0.05;

/// Where it is unlikely to finish, one turn in so many still goes on with the proof, so that chances are judged
/// anew.
const JUDGE_EVERY: u64 = 4;

/// How many times more than what is affordable a proof may seem to need, and still be tried: the share of the tree
/// that is searched is only estimated.
const HOPE: f64 = 2.0;

/// A branch and bound search and what it was given so far.
pub(super) struct Exact<'p, T> {
    search: TreeSearch<'p, T>,
    /// How many threads make the run's evaluations.
    workers: usize,
    turns: u64,
    /// Work on the proof and the share of the tree searched: now, and when the work was half of that at most.
    now: Progress,
    half: Progress,
    doubling: Progress,
}

#[derive(Clone, Copy, Default)]
struct Progress {
    work: u64,
    searched: f64,
}

impl<'p, T: Time> Exact<'p, T> {
    /// A search that has not begun, on one of so many threads.
    pub(super) fn new(instance: &'p Instance<T>, workers: usize) -> Self {
        Self {
            search: TreeSearch::new(instance, 1),
            workers,
            turns: 0,
            now: Progress::default(),
            half: Progress::default(),
            doubling: Progress::default(),
        }
    }

    /// Whether its turn has come, after so many evaluations of the others.
    pub(super) fn is_due(&self, others: u64, run: &Run<'_, T>) -> bool {
        let share = match self.chance(run) {
            Chance::Unknown => TRIAL_SHARE,
            Chance::Likely => LIKELY_SHARE,
            Chance::Unlikely => UNLIKELY_SHARE,
        };
        !self.search.is_finished()
            && others > 0
            && (1.0 - share) * self.search.children() as f64 <= share * others as f64
    }

    /// One turn, after so many evaluations of the others.
    pub(super) fn step(&mut self, others: u64, run: &Run<'_, T>) {
        self.turns += 1;
        let slice = (others / 8).clamp(FIRST_SLICE, SLICE);
        if matches!(self.chance(run), Chance::Unlikely) && !self.turns.is_multiple_of(JUDGE_EVERY) {
            self.search.raise_for(slice, run);
            return;
        }
        let before = self.search.children();
        self.search.run_for(slice, run);
        self.now.work += self.search.children() - before;
        self.now.searched = self.search.searched();
        if self.now.work >= 2 * self.doubling.work {
            (self.half, self.doubling) = (self.doubling, self.now);
        }
    }

    fn chance(&self, run: &Run<'_, T>) -> Chance {
        let Progress { work, searched } = self.now;
        let affordable = match (run.limits().evaluations, run.remaining()) {
            (Some(limit), _) => limit.saturating_sub(run.evaluations()) as f64,
            (None, Some(remaining)) => {
                let speed = run.evaluations() as f64 / run.elapsed().as_secs_f64() / self.workers as f64;
                speed * remaining.as_secs_f64()
            }
            (None, None) => f64::INFINITY,
        };
        if (work as f64) < (TRIAL * affordable).min(LONGEST_TRIAL) {
            return Chance::Unknown;
        }
        // By the speed since the work was about half: the first leaves tell little.
        let speed = (searched - self.half.searched) / (work - self.half.work).max(1) as f64;
        let needed = (1.0 - searched) / speed.max(f64::MIN_POSITIVE);
        if needed <= HOPE * affordable { Chance::Likely } else { Chance::Unlikely }
    }
}

/// Whether the search will end in time.
enum Chance {
    Unknown,
    Likely,
    Unlikely,
}
