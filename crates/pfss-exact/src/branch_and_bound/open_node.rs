//! Tasks of a search as open nodes, which can leave it, and back.

use std::sync::Arc;

use pfss_core::tree::{Element, OpenNode};

use super::task::{Placement, Task};

/// The task as an open node.
pub(super) fn of_task<E: Element>(task: &Task<E>) -> OpenNode {
    OpenNode {
        placements: task.placements().map(|placed| (placed.job, placed.end)).collect(),
        bound: task.bound.to_time(),
        share: task.share,
    }
}

/// The task, unless this is no node of a tree of so many jobs with one of them open.
pub(super) fn to_task<E: Element>(node: &OpenNode, num_jobs: usize) -> Option<Task<E>> {
    let mut is_placed = vec![false; num_jobs];
    for &(job, _) in &node.placements {
        let is_placed = is_placed.get_mut(job as usize)?;
        if std::mem::replace(is_placed, true) {
            return None;
        }
    }
    let mut placements = node.placements.iter().map(|&(job, end)| Placement { job, end });
    let last = placements.next_back();
    let above: Arc<[Placement]> = placements.collect();
    let is_legal = node.placements.len() < num_jobs && node.bound >= 0.0 && node.share.is_finite();
    is_legal.then(|| Task { above, last, bound: E::from_time(node.bound), share: node.share })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::JobId;
    use pfss_core::tree::End;

    #[test]
    fn there_and_back() {
        let placements = vec![(3, End::Front), (0, End::Back), (2, End::Front)];
        let node = OpenNode { placements, bound: 17.0, share: 0.25 };
        let task: Task<u16> = to_task(&node, 4).unwrap();
        assert_eq!(of_task(&task), node);
        let root = OpenNode { placements: vec![], bound: 0.0, share: 1.0 };
        assert_eq!(of_task(&to_task::<f64>(&root, 1).unwrap()), root);
    }

    #[test]
    fn what_is_no_node_is_refused() {
        let node = |jobs: &[JobId], bound| OpenNode {
            placements: jobs.iter().map(|&job| (job, End::Front)).collect(),
            bound,
            share: 0.0,
        };
        for bad in [node(&[4], 0.0), node(&[1, 1], 0.0), node(&[0, 1, 2, 3], 0.0), node(&[], f64::NAN)] {
            assert!(to_task::<u32>(&bad, 4).is_none(), "{bad:?}");
        }
    }
}
