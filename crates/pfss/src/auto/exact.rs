//! Branch and bound as a part of the portfolio: much time where it can finish, little where it cannot.

use pfss_core::{Instance, Run, Time};
use pfss_exact::branch_and_bound::TreeSearch;

/// Nodes of one turn: some milliseconds.
const SLICE: u64 = 1 << 15;

/// Children priced before its chances are judged.
const TRIAL: u64 = 1 << 22;

/// Its share of the evaluations during the trial, where it is likely to finish, and where it is not: then it
/// still raises the bound.
const TRIAL_SHARE: f64 = 0.25;
const LIKELY_SHARE: f64 = 0.6;
const UNLIKELY_SHARE: f64 = 0.03;

/// The share of the tree that is searched is known only by assuming that all children of a node are equal. Since
/// children that come later are worse, and smaller, the true share is larger, by so much at most in tests.
const HOPE: f64 = 20.0;

/// A branch and bound search and what it was given so far.
pub(super) struct Exact<'p, T> {
    search: TreeSearch<'p, T>,
}

impl<'p, T: Time> Exact<'p, T> {
    pub(super) fn new(instance: &'p Instance<T>) -> Self {
        Self { search: TreeSearch::new(instance, 1) }
    }

    /// Whether its turn has come, after so many evaluations of the others.
    pub(super) fn is_due(&self, others: u64, run: &Run<'_, T>) -> bool {
        let share = self.share(run);
        !self.search.is_finished()
            && others > 0
            && (1.0 - share) * self.search.children() as f64 <= share * others as f64
    }

    pub(super) fn step(&mut self, run: &Run<'_, T>) {
        self.search.run_for(SLICE, run);
    }

    fn share(&self, run: &Run<'_, T>) -> f64 {
        let work = self.search.children();
        if work < TRIAL {
            return TRIAL_SHARE;
        }
        let needed = work as f64 / self.search.searched().max(f64::MIN_POSITIVE);
        let affordable = match (run.limits().evaluations, run.remaining()) {
            (Some(limit), _) => limit.saturating_sub(run.evaluations()) as f64,
            (None, Some(remaining)) => {
                let speed = run.evaluations() as f64 / run.elapsed().as_secs_f64();
                speed * remaining.as_secs_f64()
            }
            (None, None) => f64::INFINITY,
        };
        if needed <= HOPE * affordable { LIKELY_SHARE } else { UNLIKELY_SHARE }
    }
}
