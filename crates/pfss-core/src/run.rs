//! One run of a solver: its seed, its limits, its clock, and the only way to a new incumbent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::{JobId, Permutation, Rng, Seed, Time};

/// Asks a run to stop; clones share one flag, so any thread or signal handler can raise it.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When a run stops. Whichever limit is met first ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<C> {
    /// Wall-clock time since the run was made.
    pub time: Option<Duration>,
    /// Evaluations: full orders, or places of a job, that were priced. The reproducible limit.
    pub evaluations: Option<u64>,
    /// Evaluations since the last improvement.
    pub stall: Option<u64>,
    /// Stop as soon as an order costs at most this.
    pub target: Option<C>,
}

impl<C> Default for Limits<C> {
    fn default() -> Self {
        Self { time: None, evaluations: None, stall: None, target: None }
    }
}

/// Why a run ended without a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The algorithm came to its natural end.
    Finished,
    /// The time limit was met.
    TimeLimit,
    /// The evaluation limit was met.
    EvaluationLimit,
    /// No improvement for the allowed number of evaluations.
    Stalled,
    /// The target was reached.
    Target,
    /// Somebody raised the cancel flag.
    Cancelled,
}

impl StopReason {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::TimeLimit => "time-limit",
            Self::EvaluationLimit => "evaluation-limit",
            Self::Stalled => "stalled",
            Self::Target => "target",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What is known about the order that a run returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The bound proves that no order is better.
    Optimal,
    /// A valid order, and why the run ended.
    Feasible(StopReason),
}

/// The answer of a run.
#[derive(Clone, Debug)]
pub struct Outcome<C> {
    /// The best order found.
    pub order: Permutation,
    /// Its cost.
    pub cost: C,
    /// The best proven lower bound.
    pub bound: C,
    /// What is known about the order.
    pub status: Status,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// Wall-clock time since the run was made.
    pub runtime: Duration,
}

impl<C: Time> Outcome<C> {
    /// `(cost - bound) / bound`; zero when both are zero.
    pub fn gap(&self) -> f64 {
        let (cost, bound) = (self.cost.to_f64(), self.bound.to_f64());
        if cost <= bound { 0.0 } else { (cost - bound) / bound }
    }
}

/// A new best order, as it is found.
#[derive(Clone, Copy, Debug)]
pub struct Improvement<'a, C> {
    /// The order.
    pub order: &'a [JobId],
    /// Its cost.
    pub cost: C,
    /// The best proven bound so far.
    pub bound: C,
    /// Wall-clock time since the run was made.
    pub runtime: Duration,
    /// Evaluations so far.
    pub evaluations: u64,
}

/// Is told of every new best order.
pub trait Observer<C>: Sync {
    /// Called with each new incumbent, one call at a time, costs strictly falling.
    fn on_improvement(&self, improvement: &Improvement<'_, C>);
}

/// Why a solver cannot answer at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The algorithm does not treat this problem.
    #[error("{algorithm}: {reason}")]
    Unsupported {
        /// The algorithm.
        algorithm: String,
        /// What is wrong and what would be accepted.
        reason: String,
    },
    /// The algorithm ended without any order: a defect worth reporting.
    #[error("the algorithm ended without an order; please report this")]
    NoOrder,
}

struct Incumbent<C> {
    order: Vec<JobId>,
    cost: C,
    evaluations: u64,
}

struct State<C> {
    incumbent: Option<Incumbent<C>>,
    bound: C,
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
    start: Option<Permutation>,
    observer: Option<&'a dyn Observer<C>>,
    clock: Instant,
    state: Mutex<State<C>>,
    best: AtomicU64,
    bound: AtomicU64,
    evaluations: AtomicU64,
    improved_at: AtomicU64,
}

impl<'a, C: Time> Run<'a, C> {
    /// A run with this seed and these limits, on one thread; its clock starts now.
    pub fn new(seed: Seed, limits: Limits<C>) -> Self {
        Self {
            seed,
            limits,
            cancel: CancelFlag::new(),
            threads: 1,
            start: None,
            observer: None,
            clock: Instant::now(),
            state: Mutex::new(State { incumbent: None, bound: C::ZERO }),
            best: AtomicU64::new(C::MAX.to_bits()),
            bound: AtomicU64::new(C::ZERO.to_bits()),
            evaluations: AtomicU64::new(0),
            improved_at: AtomicU64::new(0),
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

    /// Allows `threads` threads (at least one).
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Starts from a known order; the answer is never worse.
    #[must_use]
    pub fn with_start(mut self, order: Permutation) -> Self {
        self.start = Some(order);
        self
    }

    /// Tells `observer` of every improvement.
    #[must_use]
    pub fn with_observer(mut self, observer: &'a dyn Observer<C>) -> Self {
        self.observer = Some(observer);
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

    /// The cancel flag.
    pub fn cancel_flag(&self) -> &CancelFlag {
        &self.cancel
    }

    /// The order to start from, where one was given.
    pub fn start(&self) -> Option<&Permutation> {
        self.start.as_ref()
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
            let bound = state.bound;
            let runtime = self.elapsed();
            observer.on_improvement(&Improvement { order, cost, bound, runtime, evaluations });
        }
        true
    }

    /// Reports that no order costs less than `bound`.
    pub fn raise_bound(&self, bound: C) {
        let mut state = self.lock();
        if bound > state.bound {
            state.bound = bound;
            self.bound.store(bound.to_bits(), Ordering::Relaxed);
        }
    }

    /// Whether the best order is proven optimal.
    pub fn is_optimal(&self) -> bool {
        let best = self.best_cost();
        best < C::MAX && best.meets(self.bound())
    }

    /// Why the run must stop now, or `None` when it may go on. Looks at the clock: some tens of
    /// nanoseconds, so inner loops ask every few microseconds.
    pub fn stop(&self) -> Option<StopReason> {
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
        if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            return Some(StopReason::TimeLimit);
        }
        None
    }

    /// Whether the run must end: a limit is met or the best order is proven optimal.
    pub fn must_end(&self) -> bool {
        self.is_optimal() || self.stop().is_some()
    }

    /// The answer: the best order, its cost, the best bound and why the run ended.
    ///
    /// # Errors
    /// [`SolveError::NoOrder`] when nothing was offered.
    pub fn outcome(&self) -> Result<Outcome<C>, SolveError> {
        let reason = self.stop().unwrap_or(StopReason::Finished);
        let state = self.lock();
        let best = state.incumbent.as_ref().ok_or(SolveError::NoOrder)?;
        let status = if best.cost.meets(state.bound) { Status::Optimal } else { Status::Feasible(reason) };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_better_offers_count() {
        let run = Run::<u32>::new(Seed::new(1), Limits::default());
        assert!(run.offer(&[0, 1], 10));
        assert!(!run.offer(&[1, 0], 10));
        assert!(run.offer(&[1, 0], 9));
        run.raise_bound(9);
        assert!(run.is_optimal());
        let outcome = run.outcome().unwrap();
        assert_eq!(outcome.order.as_slice(), &[1, 0]);
        assert_eq!(outcome.status, Status::Optimal);
        assert_eq!(outcome.gap(), 0.0);
    }

    #[test]
    fn every_limit_stops() {
        let limits = |change: fn(&mut Limits<u32>)| {
            let mut limits = Limits::default();
            change(&mut limits);
            Run::new(Seed::new(1), limits)
        };
        let run = limits(|l| l.evaluations = Some(5));
        run.count(4);
        assert_eq!(run.stop(), None);
        run.count(1);
        assert_eq!(run.stop(), Some(StopReason::EvaluationLimit));

        let run = limits(|l| l.stall = Some(3));
        run.count(2);
        run.offer(&[0], 5);
        run.count(2);
        assert_eq!(run.stop(), None);
        run.count(1);
        assert_eq!(run.stop(), Some(StopReason::Stalled));

        let run = limits(|l| l.target = Some(5));
        assert_eq!(run.stop(), None);
        run.offer(&[0], 5);
        assert_eq!(run.stop(), Some(StopReason::Target));

        let run = limits(|l| l.time = Some(Duration::ZERO));
        assert_eq!(run.stop(), Some(StopReason::TimeLimit));

        let run = limits(|_| ());
        run.cancel_flag().clone().cancel();
        assert_eq!(run.stop(), Some(StopReason::Cancelled));
    }

    #[test]
    fn a_run_without_an_order_is_an_error() {
        let run = Run::<u32>::new(Seed::new(1), Limits::default());
        assert!(matches!(run.outcome(), Err(SolveError::NoOrder)));
    }
}
