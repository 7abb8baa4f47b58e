//! A search whose open nodes move to other processes and into files.

use std::time::Duration;

use pfss_core::tree::{Element, OpenNode};
use pfss_core::{SharedTree, Time};

use super::open_node::of_task;
use super::search::{Storage, TreeSearch, with_storage};

impl<T: Time> SharedTree for TreeSearch<'_, T> {
    fn become_part(&self, is_first: bool) {
        if !is_first {
            // The root is elsewhere.
            self.take_open(usize::MAX);
        }
        with_storage!(&self.storage, forest => forest.part.become_part(is_first));
    }

    fn replace_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        let before = self.take_open(usize::MAX);
        let share = |nodes: &[OpenNode]| nodes.iter().map(|node| node.share).sum::<f64>();
        let searched = share(&before) - share(&nodes);
        with_storage!(&self.storage, forest => forest.find.count(0, 0, searched));
        TreeSearch::put_open(self, nodes)
    }

    fn put_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        TreeSearch::put_open(self, nodes)
    }

    fn take_half(&self, most: usize) -> Vec<OpenNode> {
        let is_at_work = with_storage!(&self.storage, forest => forest.find.pool.is_at_work());
        if is_at_work { self.take_open(self.num_open().div_ceil(2).min(most)) } else { Vec::new() }
    }

    fn copy_open(&self, patience: Duration) -> Option<Vec<OpenNode>> {
        with_storage!(&self.storage, forest => {
            let tasks = forest.find.pool.copy_all(patience)?;
            Some(tasks.iter().map(of_task).collect())
        })
    }

    fn least_open(&self) -> Option<f64> {
        with_storage!(&self.storage, forest => forest.find.pool.least_bound().map(Element::to_time))
    }

    fn is_hungry(&self) -> bool {
        with_storage!(&self.storage, forest => forest.part.is_hungry() && forest.find.pool.len() == 0)
    }

    fn searched_here(&self) -> f64 {
        self.searched()
    }
}
