//! One run of a solver: its seed, its limits, its clock, and the only way to a new incumbent.

mod limits;
mod observer;
mod outcome;
mod team;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use limits::{CancelFlag, Limits, StopReason, evaluations_per_look};
use observer::{Announcement, Announcements};
pub use observer::{Improvement, Observer, RaisedBound};
pub use outcome::{Outcome, SolveError, Status};
pub use team::{Elite, Incumbents, SharedTree, Team};

use crate::{JobId, Permutation, Rng, Seed, Time};

/// What a search may hold where nobody says: 1 GiB.
const DEFAULT_MEMORY: usize = 1 << 30;

struct Incumbent<C> {
    order: Vec<JobId>,
    cost: C,
    evaluations: u64,
}

struct State<C> {
    incumbent: Option<Incumbent<C>>,
    bound: C,
    announcements: Announcements<C>,
    /// What the first part that panicked said.
    failure: Option<String>,
}

impl<C: Time> State<C> {
    fn is_optimal(&self) -> bool {
        self.incumbent.as_ref().is_some_and(|best| proves(self.bound, best.cost))
    }
}

/// Whether a bound proves that no order costs less than `cost`. Everybody else asks the run, or is told: a cost may hold
/// several objectives of which a user sees a bound on the first only.
fn proves<C: Time>(bound: C, cost: C) -> bool {
    cost < C::MAX && cost.meets(bound)
}

/// One run of a solver. Shared by reference among the solver's threads.
///
/// The clock starts when the run is made, so reading and set-up count. [`Run::offer`] is the only way to a
/// new incumbent: traces, progress, files and exchange between threads all hang on it.
pub struct Run<'a, C> {
    seed: Seed,
    limits: Limits<C>,
    cancel: CancelFlag,
    threads: usize,
    memory: usize,
    start: Option<Permutation>,
    observer: Option<&'a dyn Observer<C>>,
    team: Option<&'a dyn Team<C>>,
    clock: Instant,
    state: Mutex<State<C>>,
    best: AtomicU64,
    bound: AtomicU64,
    evaluations: AtomicU64,
    improved_at: AtomicU64,
    failed: AtomicBool,
}

impl<'a, C: Time> Run<'a, C> {
    /// A run with this seed and these limits, on one thread; its clock starts now.
    pub fn new(seed: Seed, limits: Limits<C>) -> Self {
        Self {
            seed,
            limits,
            cancel: CancelFlag::new(),
            threads: 1,
            memory: DEFAULT_MEMORY,
            start: None,
            observer: None,
            team: None,
            clock: Instant::now(),
            state: Mutex::new(State {
                incumbent: None,
                bound: C::ZERO,
                announcements: Announcements::default(),
                failure: None,
            }),
            best: AtomicU64::new(C::MAX.to_bits()),
            bound: AtomicU64::new(C::ZERO.to_bits()),
            evaluations: AtomicU64::new(0),
            improved_at: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        }
    }

    /// Starts the clock at an earlier moment, for instance before a file was read.
    #[must_use]
    pub fn started_at(mut self, clock: Instant) -> Self {
        self.clock = clock;
        self
    }

    /// Stops when `flag` is raised.
    #[must_use]
    pub fn with_cancel(mut self, flag: CancelFlag) -> Self {
        self.cancel = flag;
        self
    }

    /// Begins with a bound that was proven before: no order costs less.
    #[must_use]
    pub fn with_bound(self, bound: C) -> Self {
        self.raise_bound(bound);
        self
    }

    /// Allows `threads` threads (at least one).
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Lets the search hold about so many bytes, all threads together (1 GiB where nobody says).
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Starts from a known order; the answer is never worse.
    #[must_use]
    pub fn with_start(mut self, order: Permutation) -> Self {
        self.start = Some(order);
        self
    }

    /// Tells `observer` of every improvement and every better bound.
    #[must_use]
    pub fn with_observer(mut self, observer: &'a dyn Observer<C>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Works on it together with other processes, or with a file that keeps open nodes.
    #[must_use]
    pub fn with_team(mut self, team: &'a dyn Team<C>) -> Self {
        self.team = Some(team);
        self
    }

    /// The seed.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The generator of the stream named `label`.
    pub fn stream(&self, label: &str) -> Rng {
        self.seed.stream(label)
    }

    /// The limits.
    pub fn limits(&self) -> &Limits<C> {
        &self.limits
    }

    /// How many threads may be used.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How many threads may tell each other what they find. That depends on their speed, so a run that must come out the same
    /// everywhere keeps to one.
    pub fn islands(&self) -> usize {
        if self.limits.is_reproducible() { 1 } else { self.threads }
    }

    /// How many bytes the search may hold, all threads together.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// The cancel flag.
    pub fn cancel_flag(&self) -> &CancelFlag {
        &self.cancel
    }

    /// Who else works on it.
    pub fn team(&self) -> Option<&'a dyn Team<C>> {
        self.team
    }

    /// The order to start from, where one was given.
    pub fn start(&self) -> Option<&Permutation> {
        self.start.as_ref()
    }

    /// When its clock started.
    pub fn started(&self) -> Instant {
        self.clock
    }

    /// Wall-clock time since the run was made.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// The time that is left, or `None` without a time limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// Counts `count` evaluations.
    #[inline]
    pub fn count(&self, count: u64) {
        self.evaluations.fetch_add(count, Ordering::Relaxed);
    }

    /// Evaluations so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// How many more evaluations meet a limit of evaluations, all or without improvement; `None` without such a limit.
    pub fn evaluations_left(&self) -> Option<u64> {
        let evaluations = self.evaluations();
        let since = evaluations.saturating_sub(self.improved_at.load(Ordering::Relaxed));
        let left = self.limits.evaluations.map(|limit| limit.saturating_sub(evaluations));
        let patience = self.limits.stall.map(|limit| limit.saturating_sub(since));
        left.into_iter().chain(patience).min()
    }

    /// The cost of the best order so far ([`Time::MAX`] when there is none).
    #[inline]
    pub fn best_cost(&self) -> C {
        C::from_bits(self.best.load(Ordering::Relaxed))
    }

    /// The best order so far and its cost.
    pub fn best(&self) -> Option<(Vec<JobId>, C)> {
        self.lock().incumbent.as_ref().map(|best| (best.order.clone(), best.cost))
    }

    /// The best proven bound so far.
    #[inline]
    pub fn bound(&self) -> C {
        C::from_bits(self.bound.load(Ordering::Relaxed))
    }

    /// Offers an order whose cost is `cost`; returns whether it is the new best.
    pub fn offer(&self, order: &[JobId], cost: C) -> bool {
        if cost >= self.best_cost() {
            return false;
        }
        let mut state = self.lock();
        if state.incumbent.as_ref().is_some_and(|best| cost >= best.cost) {
            return false;
        }
        let evaluations = self.evaluations();
        state.incumbent = Some(Incumbent { order: order.to_vec(), cost, evaluations });
        self.best.store(cost.to_bits(), Ordering::Relaxed);
        self.improved_at.store(evaluations, Ordering::Relaxed);
        if let Some(observer) = self.observer {
            let (order, bound, runtime) = (order.to_vec(), state.bound, self.elapsed());
            let is_optimal = state.is_optimal();
            let news = Announcement::Improvement { order, cost, bound, is_optimal, runtime, evaluations };
            self.tell(state, observer, news);
        }
        true
    }

    /// Tells the news, or leaves it to the thread that is telling already.
    fn tell(&self, mut state: MutexGuard<'_, State<C>>, observer: &dyn Observer<C>, news: Announcement<C>) {
        let announcements = &mut state.announcements;
        announcements.waiting.push_back(news);
        if !announcements.is_telling {
            announcements.is_telling = true;
            drop(state);
            self.announce(observer);
        }
    }

    /// Tells of everything that waits, first come first, without holding the lock: observers may call everything.
    fn announce(&self, observer: &dyn Observer<C>) {
        /// An observer that panics must not silence the run for good.
        struct Telling<'r, 'a, C: Time>(&'r Run<'a, C>);
        impl<C: Time> Drop for Telling<'_, '_, C> {
            fn drop(&mut self) {
                self.0.lock().announcements.is_telling = false;
            }
        }
        let telling = Telling(self);
        loop {
            let mut state = self.lock();
            let Some(next) = state.announcements.waiting.pop_front() else {
                // Under the same lock, or an offer of this moment would find somebody who no longer looks.
                state.announcements.is_telling = false;
                drop(state);
                std::mem::forget(telling);
                return;
            };
            drop(state);
            next.tell(observer);
        }
    }

    /// Runs a part of the search. When it panics, the whole run ends ([`StopReason::Failed`]) instead of waiting for it.
    pub fn guard(&self, part: impl FnOnce()) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(part)) {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            self.lock().failure.get_or_insert(text.unwrap_or_else(|| "it panicked".to_string()));
            self.failed.store(true, Ordering::Relaxed);
        }
    }

    /// Reports that no order costs less than `bound`.
    pub fn raise_bound(&self, bound: C) {
        let mut state = self.lock();
        if bound > state.bound {
            state.bound = bound;
            self.bound.store(bound.to_bits(), Ordering::Relaxed);
            if let Some(observer) = self.observer {
                let best = state.incumbent.as_ref().map(|best| best.cost);
                let (runtime, evaluations) = (self.elapsed(), self.evaluations());
                let is_optimal = state.is_optimal();
                let raised = RaisedBound { bound, best, is_optimal, runtime, evaluations };
                self.tell(state, observer, Announcement::Bound(raised));
            }
        }
    }

    /// Whether the best order is proven optimal.
    pub fn is_optimal(&self) -> bool {
        proves(self.bound(), self.best_cost())
    }

    /// Why the run must stop now, or `None` when it may go on. Looks at the clock: some tens of
    /// nanoseconds, so inner loops ask every few microseconds.
    pub fn stop(&self) -> Option<StopReason> {
        if self.failed.load(Ordering::Relaxed) {
            return Some(StopReason::Failed);
        }
        if self.cancel.is_cancelled() {
            return Some(StopReason::Cancelled);
        }
        if self.limits.target.is_some_and(|target| self.best_cost() <= target) {
            return Some(StopReason::Target);
        }
        let evaluations = self.evaluations();
        if self.limits.evaluations.is_some_and(|limit| evaluations >= limit) {
            return Some(StopReason::EvaluationLimit);
        }
        let since = evaluations.saturating_sub(self.improved_at.load(Ordering::Relaxed));
        if self.limits.stall.is_some_and(|limit| since >= limit) {
            return Some(StopReason::Stalled);
        }
        if self.is_out_of_time() {
            return Some(StopReason::TimeLimit);
        }
        None
    }

    fn is_out_of_time(&self) -> bool {
        self.limits.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Whether nobody waits any longer: the time is over, somebody cancelled, or a part failed. Long work between two
    /// evaluations asks this often, and [`Run::stop`] where it always did: so a look more does not change what an evaluation
    /// budget computes.
    pub fn is_called_off(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.cancel.is_cancelled() || self.is_out_of_time()
    }

    /// Whether the run must end: a limit is met or the best order is proven optimal.
    pub fn must_end(&self) -> bool {
        self.is_optimal() || self.stop().is_some()
    }

    /// The answer: the best order, its cost, the best bound and why the run ended.
    ///
    /// # Errors
    /// [`SolveError::Failed`] when a part of the search panicked, [`SolveError::NoOrder`] when nothing was offered.
    pub fn outcome(&self) -> Result<Outcome<C>, SolveError> {
        if let Some(message) = self.lock().failure.clone() {
            return Err(SolveError::Failed { message });
        }
        self.answer()
    }

    /// The best order so far as an answer, also after a failure.
    ///
    /// # Errors
    /// [`SolveError::NoOrder`] when nothing was offered.
    pub fn answer(&self) -> Result<Outcome<C>, SolveError> {
        let reason = self.stop().unwrap_or(StopReason::Finished);
        let state = self.lock();
        let best = state.incumbent.as_ref().ok_or(SolveError::NoOrder)?;
        let status = Status::of(state.is_optimal(), reason);
        Ok(Outcome {
            order: Permutation::new(best.order.clone(), best.order.len()).map_err(|_| SolveError::NoOrder)?,
            cost: best.cost,
            // Sums of reals may differ in the last bits: a bound never exceeds a cost that was reached.
            bound: state.bound.minimum(best.cost),
            status,
            evaluations: self.evaluations(),
            runtime: self.elapsed(),
        })
    }

    /// Evaluations when the best order was found.
    pub fn best_found_at(&self) -> Option<u64> {
        self.lock().incumbent.as_ref().map(|best| best.evaluations)
    }

    fn lock(&self) -> MutexGuard<'_, State<C>> {
        // A panic elsewhere cannot leave the state half written: it is replaced in one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Time> Incumbents<C> for Run<'_, C> {
    fn best(&self) -> Option<(Vec<JobId>, C)> {
        self.best()
    }

    fn best_cost(&self) -> C {
        self.best_cost()
    }

    fn bound(&self) -> C {
        self.bound()
    }

    fn offer(&self, order: &[JobId], cost: C) -> bool {
        self.offer(order, cost)
    }

    fn raise_bound(&self, bound: C) {
        self.raise_bound(bound);
    }

    fn must_end(&self) -> bool {
        self.must_end()
    }
}
