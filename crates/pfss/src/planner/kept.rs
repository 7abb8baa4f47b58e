//! Branch and bound whose open nodes are kept in a file meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pfss_core::timing::Score;
use pfss_core::tree::OpenNode;
use pfss_core::{Run, SharedTree, Team};
use pfss_exact::LineTree;

/// So many nodes are made between two looks at whether somebody wants a copy: some milliseconds.
const NODES_PER_LOOK: u64 = 1_000;

/// Searches a tree, from where the file of `team` ends, while `team` copies what is open.
pub(super) fn search(tree: LineTree<'_>, team: &dyn Team<Score>, run: &Run<'_, Score>) {
    let kept = KeptTree { tree: Mutex::new(tree), is_wanted: AtomicBool::new(false) };
    team.begin(&kept, run);
    thread::scope(|scope| {
        scope.spawn(|| run.guard(|| team.tend(&kept, run)));
        while !run.must_end() {
            let mut tree = kept.lock();
            tree.run_for(NODES_PER_LOOK, run);
            if tree.is_finished() {
                return;
            }
            drop(tree);
            // A lock goes to whoever comes first, which would be this thread again and again.
            while kept.is_wanted.load(Ordering::Acquire) {
                thread::yield_now();
            }
        }
    });
}

/// A tree that is searched by one thread and copied by another.
struct KeptTree<'l> {
    tree: Mutex<LineTree<'l>>,
    is_wanted: AtomicBool,
}

impl<'l> KeptTree<'l> {
    fn lock(&self) -> MutexGuard<'_, LineTree<'l>> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One process has the whole tree: nothing moves.
impl SharedTree for KeptTree<'_> {
    fn become_part(&self, _: bool) {}

    fn replace_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        self.lock().replace_open(nodes)
    }

    fn put_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode> {
        nodes
    }

    fn take_half(&self, _: usize) -> Vec<OpenNode> {
        Vec::new()
    }

    fn copy_open(&self, _: Duration) -> Option<Vec<OpenNode>> {
        self.is_wanted.store(true, Ordering::Release);
        let nodes = self.lock().open_nodes();
        self.is_wanted.store(false, Ordering::Release);
        Some(nodes)
    }

    fn least_open(&self) -> Option<f64> {
        None
    }

    fn is_hungry(&self) -> bool {
        false
    }

    fn searched_here(&self) -> f64 {
        0.0
    }
}
