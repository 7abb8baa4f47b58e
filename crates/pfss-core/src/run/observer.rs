//! Who is told of new best orders and of better bounds.

use std::collections::VecDeque;
use std::time::Duration;

use crate::JobId;

/// A new best order, as it is found.
#[derive(Clone, Copy, Debug)]
pub struct Improvement<'a, C> {
    /// The order.
    pub order: &'a [JobId],
    /// Its cost.
    pub cost: C,
    /// The best proven bound so far.
    pub bound: C,
    /// Whether the order is proven optimal, in everything that the cost holds.
    pub is_optimal: bool,
    /// Wall-clock time since the run was made.
    pub runtime: Duration,
    /// Evaluations so far.
    pub evaluations: u64,
}

/// A better bound, as it is proven.
#[derive(Clone, Copy, Debug)]
pub struct RaisedBound<C> {
    /// The bound.
    pub bound: C,
    /// The cost of the best order so far, where there is one.
    pub best: Option<C>,
    /// Whether that order is proven optimal now, in everything that the cost holds.
    pub is_optimal: bool,
    /// Wall-clock time since the run was made.
    pub runtime: Duration,
    /// Evaluations so far.
    pub evaluations: u64,
}

/// Is told of every new best order, and of every better bound. It may call everything on the run, also [`Run::offer`](crate::Run::offer): the run holds no lock meanwhile.
pub trait Observer<C>: Sync {
    /// Called with each new incumbent, one call at a time, costs strictly falling. Where another thread is being told, that
    /// thread hands this improvement on as well.
    fn on_improvement(&self, improvement: &Improvement<'_, C>);

    /// Called with each better bound, in one sequence with the improvements. Does nothing unless it is replaced.
    fn on_bound(&self, raised: &RaisedBound<C>) {
        let _ = raised;
    }
}

/// What is still to be told.
pub(super) enum Announcement<C> {
    Improvement {
        order: Vec<JobId>,
        cost: C,
        bound: C,
        is_optimal: bool,
        runtime: Duration,
        evaluations: u64,
    },
    Bound(RaisedBound<C>),
}

impl<C: Copy> Announcement<C> {
    pub(super) fn tell(&self, observer: &dyn Observer<C>) {
        match self {
            &Self::Improvement { ref order, cost, bound, is_optimal, runtime, evaluations } => {
                observer.on_improvement(&Improvement {
                    order,
                    cost,
                    bound,
                    is_optimal,
                    runtime,
                    evaluations,
                });
            }
            Self::Bound(raised) => observer.on_bound(raised),
        }
    }
}

/// What waits to be told, and whether a thread is telling them.
pub(super) struct Announcements<C> {
    pub(super) waiting: VecDeque<Announcement<C>>,
    pub(super) is_telling: bool,
}

impl<C> Default for Announcements<C> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), is_telling: false }
    }
}
