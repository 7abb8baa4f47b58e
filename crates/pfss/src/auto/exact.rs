//! Branch and bound as a part of the portfolio: much time where it can finish, little where it cannot.

use pfss_core::{Instance, Run, Time};
use pfss_exact::branch_and_bound::TreeSearch;

use super::prices::{Prices, Speed, Unit};

/// Children priced in one turn, at most: some milliseconds, and far more with many machines.
const SLICE: u64 = 1 << 19;

/// Children priced in the first turn. Turns grow with the time of the others, so that a short limit is not spent on a proof
/// that has hardly begun.
const FIRST_SLICE: u64 = 1 << 12;

/// Larger instances are out of reach: a path through their tree takes too much memory.
pub(crate) const MAX_JOBS: usize = 2000;

/// Children priced before its chances are judged, as a share of all that the time allows for, and at most.
const TRIAL: f64 = 0.02;
const LONGEST_TRIAL: f64 = (1u64 << 25) as f64;

/// Its share of the time during the trial, where it is likely to finish, where it is not (then it still raises the bound),
/// and where the gap at the root leaves no hope.
const TRIAL_SHARE: f64 = 0.25;
const LIKELY_SHARE: f64 = 0.6;
const UNLIKELY_SHARE: f64 = 0.05;
const HOPELESS_SHARE: f64 = 0.02;

/// No tree of so many jobs was ever searched through where best order and bound are so far apart.
const HOPELESS_JOBS: usize = 30;
const HOPELESS_GAP: f64 = 0.03;

/// Where it is unlikely to finish, one turn in so many still goes on with the proof, so that chances are judged
/// anew.
const JUDGE_EVERY: u64 = 4;

/// How many times more than what is affordable a proof may seem to need, and still be tried: the share of the tree
/// that is searched is only estimated.
const HOPE: f64 = 2.0;

/// A branch and bound search and what it was given so far.
pub(super) struct Exact<'p, T> {
    search: TreeSearch<'p, T>,
    prices: Prices,
    speed: Speed,
    spent: f64,
    num_jobs: usize,
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
    /// A search that has not begun.
    pub(super) fn new(instance: &'p Instance<T>, prices: Prices) -> Self {
        Self {
            search: TreeSearch::new(instance, 1),
            prices,
            speed: Speed::default(),
            spent: 0.0,
            num_jobs: instance.num_jobs(),
            turns: 0,
            now: Progress::default(),
            half: Progress::default(),
            doubling: Progress::default(),
        }
    }

    /// Whether its turn has come, after the others had so many seconds.
    pub(super) fn is_due(&self, others: f64, run: &Run<'_, T>) -> bool {
        let share = match self.chance(run) {
            Chance::Unknown => TRIAL_SHARE,
            Chance::Likely => LIKELY_SHARE,
            Chance::Unlikely => UNLIKELY_SHARE,
            Chance::None => HOPELESS_SHARE,
        };
        !self.search.is_finished() && others > 0.0 && (1.0 - share) * self.spent <= share * others
    }

    /// One turn, after the others had so many seconds.
    pub(super) fn step(&mut self, others: f64, run: &Run<'_, T>) {
        self.turns += 1;
        let slice = (others / 8.0 * self.speed.per_second(Unit::Child, &self.prices)) as u64;
        let slice = slice.clamp(FIRST_SLICE, SLICE);
        let (before, begun) = (self.search.children(), run.elapsed());
        let only_raises = match self.chance(run) {
            Chance::None => true,
            Chance::Unlikely => !self.turns.is_multiple_of(JUDGE_EVERY),
            Chance::Unknown | Chance::Likely => false,
        };
        if only_raises {
            self.search.raise_for(slice, run);
        } else {
            self.search.run_for(slice, run);
        }
        let children = self.search.children() - before;
        let seconds = self.prices.spent(Unit::Child, children, run.elapsed() - begun);
        self.speed.record(children, seconds);
        self.spent += seconds;
        if only_raises {
            return;
        }
        self.now.work += children;
        self.now.searched = self.search.searched();
        if self.now.work >= 2 * self.doubling.work {
            (self.half, self.doubling) = (self.doubling, self.now);
        }
    }

    fn chance(&self, run: &Run<'_, T>) -> Chance {
        let gap = 1.0 - run.bound().to_f64() / run.best_cost().to_f64();
        if self.num_jobs >= HOPELESS_JOBS && gap > HOPELESS_GAP {
            return Chance::None;
        }
        let Progress { work, searched } = self.now;
        let speed = self.speed.per_second(Unit::Child, &self.prices);
        let affordable = self.prices.remaining(Unit::Child, run) * speed;
        if (work as f64) < (TRIAL * affordable).min(LONGEST_TRIAL) {
            return Chance::Unknown;
        }
        // By the speed since the work was about half: the first leaves tell little.
        let rate = (searched - self.half.searched) / (work - self.half.work).max(1) as f64;
        let needed = (1.0 - searched) / rate.max(f64::MIN_POSITIVE);
        if needed <= HOPE * affordable { Chance::Likely } else { Chance::Unlikely }
    }
}

/// Whether the search will end in time.
enum Chance {
    Unknown,
    Likely,
    Unlikely,
    None,
}
