//! Who is told of new best orders.

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
    /// Wall-clock time since the run was made.
    pub runtime: Duration,
    /// Evaluations so far.
    pub evaluations: u64,
}

/// Is told of every new best order. It may call everything on the run, also [`Run::offer`](crate::Run::offer): the run holds no lock meanwhile.
pub trait Observer<C>: Sync {
    /// Called with each new incumbent, one call at a time, costs strictly falling. Where another thread is being told, that
    /// thread hands this improvement on as well.
    fn on_improvement(&self, improvement: &Improvement<'_, C>);
}

/// An improvement that is still to be told.
pub(super) struct Announcement<C> {
    pub(super) order: Vec<JobId>,
    pub(super) cost: C,
    pub(super) bound: C,
    pub(super) runtime: Duration,
    pub(super) evaluations: u64,
}

impl<C: Copy> Announcement<C> {
    pub(super) fn tell(&self, observer: &dyn Observer<C>) {
        let &Self { ref order, cost, bound, runtime, evaluations } = self;
        observer.on_improvement(&Improvement { order, cost, bound, runtime, evaluations });
    }
}

/// Improvements that wait to be told, and whether a thread is telling them.
pub(super) struct Announcements<C> {
    pub(super) waiting: VecDeque<Announcement<C>>,
    pub(super) is_telling: bool,
}

impl<C> Default for Announcements<C> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), is_telling: false }
    }
}
