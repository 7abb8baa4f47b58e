//! Open nodes in a form that can leave the search: for other processes, and for files.

use std::sync::Arc;

use pfss_core::JobId;
use pfss_core::tree::{Element, End};

use super::task::{Placement, Task};

/// A node whose subtree is still to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenNode {
    /// The jobs that are placed and at which end, from the root on.
    pub placements: Vec<(JobId, End)>,
    /// No order below costs less.
    pub bound: f64,
    /// Its part of the whole tree.
    pub share: f64,
}

impl OpenNode {
    pub(super) fn of_task<E: Element>(task: &Task<E>) -> Self {
        Self {
            placements: task.placements().map(|placed| (placed.job, placed.end)).collect(),
            bound: task.bound.to_time(),
            share: task.share,
        }
    }

    /// The task, unless this is no node of a tree of so many jobs with one of them open.
    pub(super) fn to_task<E: Element>(&self, num_jobs: usize) -> Option<Task<E>> {
        let mut is_placed = vec![false; num_jobs];
        for &(job, _) in &self.placements {
            let is_placed = is_placed.get_mut(job as usize)?;
            if std::mem::replace(is_placed, true) {
                return None;
            }
        }
        let mut placements = self.placements.iter().map(|&(job, end)| Placement { job, end });
        let last = placements.next_back();
        let above: Arc<[Placement]> = placements.collect();
        let is_legal = self.placements.len() < num_jobs && self.bound >= 0.0 && self.share.is_finite();
        is_legal.then(|| Task { above, last, bound: E::from_time(self.bound), share: self.share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let placements = vec![(3, End::Front), (0, End::Back), (2, End::Front)];
        let node = OpenNode { placements, bound: 17.0, share: 0.25 };
        let task: Task<u16> = node.to_task(4).unwrap();
        assert_eq!(OpenNode::of_task(&task), node);
        let root = OpenNode { placements: vec![], bound: 0.0, share: 1.0 };
        assert_eq!(OpenNode::of_task(&root.to_task::<f64>(1).unwrap()), root);
    }

    #[test]
    fn what_is_no_node_is_refused() {
        let node = |jobs: &[JobId], bound| OpenNode {
            placements: jobs.iter().map(|&job| (job, End::Front)).collect(),
            bound,
            share: 0.0,
        };
        for bad in [node(&[4], 0.0), node(&[1, 1], 0.0), node(&[0, 1, 2, 3], 0.0), node(&[], f64::NAN)] {
            assert!(bad.to_task::<u32>(4).is_none(), "{bad:?}");
        }
    }
}
