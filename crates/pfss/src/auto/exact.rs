//! Branch and bound as a part of the portfolio: much time where it can finish, little where it cannot.

use pfss_core::{Instance, Run, Time};

use super::prices::{Prices, Speed, Unit};
use super::shared::Shared;

/// Children priced in one turn, at most: some milliseconds, and far more with many machines.
const SLICE: u64 = 1 << 19;

/// Children priced in the first turn. Turns grow with the time of the others, so that a short limit is not spent on a proof
/// that has hardly begun.
const FIRST_SLICE: u64 = 1 << 12;

/// Larger instances are out of reach: a path through their tree takes too much memory.
pub(crate) const MAX_JOBS: usize = 2000;

/// Seconds to sort the jobs for one pair of machines, for each job and each doubling of their number.
const SORTING: f64 = 2.5e-9;

/// Seconds that a tree takes to prepare, about: jobs are sorted for each pair of machines.
pub(super) fn preparation<T: Time>(instance: &Instance<T>) -> f64 {
    let (n, m) = (instance.num_jobs() as f64, instance.num_machines() as f64);
    SORTING * m * m * n * n.log2().max(1.0)
}

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

/// Seconds of the others before bounds are raised without hope of a proof: the first turn, in which tests are tried out, takes long.
const HOPELESS_AFTER: f64 = 0.3;

/// Where it is unlikely to finish, one turn in so many still goes on with the proof, so that chances are judged
/// anew.
const JUDGE_EVERY: u64 = 4;

/// How many times more than what is affordable a proof may seem to need, and still be tried: the share of the tree
/// that is searched is only estimated.
const HOPE: f64 = 2.0;

/// One thread's part in the branch and bound search, and what it was given so far. The thread that leads begins, judges and
/// raises the bound; the others help where the proof is likely to end in time.
pub(super) struct Exact<'p, T> {
    shared: &'p Shared<'p, T>,
    instance: &'p Instance<T>,
    leads: bool,
    prices: Prices,
    speed: Speed,
    spent: f64,
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
    /// Nothing done yet.
    pub(super) fn new(
        instance: &'p Instance<T>,
        leads: bool,
        prices: Prices,
        shared: &'p Shared<'p, T>,
    ) -> Self {
        Self {
            shared,
            instance,
            leads,
            prices,
            speed: Speed::default(),
            spent: 0.0,
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
            Chance::Hopeless => HOPELESS_SHARE,
        };
        let begins = share > HOPELESS_SHARE || others >= HOPELESS_AFTER;
        let is_behind = (1.0 - share) * self.spent <= share * others;
        let has_work = || match self.leads {
            true => !self.shared.plant(self.instance, run).is_finished(),
            false => self.shared.promising_tree(self.instance, run).is_some(),
        };
        begins && is_behind && has_work()
    }

    /// One turn, after the others had so many seconds. Returns whether there was anything to do.
    pub(super) fn step(&mut self, others: f64, run: &Run<'_, T>) -> bool {
        let tree = self.shared.plant(self.instance, run);
        let slice = (others / 8.0 * self.speed.per_second(Unit::Child, &self.prices)) as u64;
        let slice = slice.clamp(FIRST_SLICE, SLICE);
        let begun = run.elapsed();
        self.turns += 1;
        let only_raises = match self.chance(run) {
            Chance::Hopeless => true,
            Chance::Unlikely => !self.turns.is_multiple_of(JUDGE_EVERY),
            Chance::Unknown | Chance::Likely => false,
        };
        let children = if only_raises { tree.raise_for(slice, run) } else { tree.run_for(slice, run) };
        let seconds = self.prices.spent(Unit::Child, children, run.elapsed() - begun);
        self.speed.record(children, seconds);
        self.spent += seconds;
        if only_raises || !self.leads {
            return children > 0;
        }
        self.now.work += children;
        self.now.searched = self.shared.searched();
        if self.now.work >= 2 * self.doubling.work {
            (self.half, self.doubling) = (self.doubling, self.now);
        }
        self.shared.set_will_end(matches!(self.chance(run), Chance::Likely));
        children > 0
    }

    fn chance(&self, run: &Run<'_, T>) -> Chance {
        if !self.leads {
            return Chance::Likely;
        }
        let gap = 1.0 - run.bound().to_f64() / run.best_cost().to_f64();
        if self.instance.num_jobs() >= HOPELESS_JOBS && gap > HOPELESS_GAP {
            return Chance::Hopeless;
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
        // Others help where it is likely to end.
        let helped = HOPE * affordable * self.shared.workers() as f64;
        if needed <= helped { Chance::Likely } else { Chance::Unlikely }
    }
}

/// Whether the search will end in time.
enum Chance {
    Unknown,
    Likely,
    Unlikely,
    Hopeless,
}
