//! What a dive and the search that it belongs to tell each other.

use pfss_core::JobId;

use super::task::Task;

/// Why a dive came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiveEnd {
    /// Nothing is open any more.
    Exhausted,
    /// The budget is used up, the run must end, or somebody asked.
    Paused,
}

/// What a dive tells and is told, now and then.
pub(super) trait Supervisor<E> {
    /// `nodes` were branched and `children` priced since the last call; `share` of the tree was searched,
    /// and `least` is the least bound among what is still open. Returns the cost at which children are pruned, or `None` to pause.
    fn report(&mut self, nodes: u64, children: u64, share: f64, least: Option<E>) -> Option<E>;

    /// An order below the limit was found; returns the new limit.
    fn found(&mut self, order: Vec<JobId>) -> E;

    /// Whether others should find something to steal.
    fn wants_tasks(&self) -> bool;

    /// Takes tasks for others.
    fn take(&mut self, tasks: Vec<Task<E>>);
}
