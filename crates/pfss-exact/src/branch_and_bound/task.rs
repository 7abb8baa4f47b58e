//! A part of the tree that is still to be searched.

use std::sync::Arc;

use pfss_core::JobId;
use pfss_core::tree::End;

/// One job placed at one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) job: JobId,
    pub(super) end: End,
}

/// The subtree below some placements.
#[derive(Clone, Debug)]
pub(super) struct Task<E> {
    /// From the root on. Shared by siblings: of a thousand jobs, a pause may leave half a million nodes open.
    pub(super) above: Arc<[Placement]>,
    /// And one more, but for the root.
    pub(super) last: Option<Placement>,
    /// No order below costs less.
    pub(super) bound: E,
    /// Its part of the whole tree, were all children of a node of the same size.
    pub(super) share: f64,
}

impl<E> Task<E> {
    /// How many jobs are placed.
    pub(super) fn depth(&self) -> usize {
        self.above.len() + usize::from(self.last.is_some())
    }

    /// From the root on.
    pub(super) fn placements(&self) -> impl Iterator<Item = Placement> {
        self.above.iter().copied().chain(self.last)
    }
}

/// The order that placements make, when they hold every job but `last`.
pub(super) fn order_of(placements: &[Placement], last: JobId) -> Vec<JobId> {
    let at = |end| placements.iter().filter(move |placed| placed.end == end).map(|placed| placed.job);
    let mut order: Vec<JobId> = at(End::Front).collect();
    order.push(last);
    let front = order.len();
    order.extend(at(End::Back));
    order[front..].reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_at_the_back_stand_in_reverse() {
        let placed = |job, end| Placement { job, end };
        let placements =
            [placed(4, End::Back), placed(1, End::Front), placed(2, End::Back), placed(0, End::Front)];
        assert_eq!(order_of(&placements, 3), [1, 0, 3, 2, 4]);
    }
}
