//! Depth-first search below one node, on one thread.

mod child;
mod open;

use pfss_core::evaluations_per_look;
use pfss_core::tree::{BLOCK, Element, End, Nodes, Pricer};

use super::frontier::Frontier;
use super::ground::Ground;
use super::memo::Sets;
use super::pair_test::{PairTest, Suspect, Thoroughness};
use super::pool::Taken;
use super::shares::Shares;
use super::supervisor::{DiveEnd, Supervisor};
use super::task::{Placement, Task, order_of};
use child::{Child, sort_all, sort_last};

/// Children priced between two looks at the limits and at what other threads found, on few machines: about a millisecond.
const CHILDREN_PER_LOOK: u64 = 1 << 16;

/// Children of so few open jobs are sorted one by one: most of them have been pruned.
const FEW: usize = 64;

/// The open children of one node of the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    end: End,
    /// Where its children start; those of the last frame reach to the end of the list, best last.
    first: usize,
    /// The part of the tree that its next child stands for.
    share: f64,
}

/// The memory of a depth-first search: the nodes of one path from the root, and their open children.
pub(super) struct Dive<E: Element> {
    pricer: Pricer<E>,
    pair_test: PairTest<E>,
    /// The placed jobs of each node of the path.
    sets: Vec<Sets>,
    /// The path from the task's node on; frame `k` belongs to node `k`.
    nodes: Nodes<E>,
    frames: Vec<Frame>,
    children: Vec<Child<E>>,
    /// From the root on, the task's own placements included.
    placements: Vec<Placement>,
    /// How many placements are the task's own.
    given: usize,
    branched: u64,
    priced: u64,
    searched: f64,
    shares: Shares,
    children_per_look: u64,
}

impl<E: Element> Dive<E> {
    pub(super) fn new(ground: &Ground<E>) -> Self {
        let Ground { tree, pairs, instructions, .. } = ground;
        Self {
            pricer: Pricer::new(*instructions),
            pair_test: PairTest::new(pairs, tree.num_jobs(), *instructions),
            sets: Vec::new(),
            nodes: Nodes::new(tree.num_machines()),
            frames: Vec::new(),
            children: Vec::new(),
            placements: Vec::new(),
            given: 0,
            branched: 0,
            priced: 0,
            searched: 0.0,
            shares: Shares::new(tree.num_jobs()),
            children_per_look: evaluations_per_look(CHILDREN_PER_LOOK, tree.num_machines()),
        }
    }

    /// Searches the subtree of `task` for orders below `limit`. What is left open when it pauses is in
    /// [`Dive::open_tasks`].
    pub(super) fn search(
        &mut self,
        ground: &Ground<E>,
        frontier: &Frontier<E>,
        taken: &Taken<E>,
        mut limit: E,
        supervisor: &mut impl Supervisor<E>,
    ) -> DiveEnd {
        let Taken { task, epoch } = taken;
        self.plant(ground, task);
        if task.bound < limit {
            self.branch(ground, 0, task.share, &mut limit, supervisor);
        } else {
            self.searched += task.share;
        }
        while let Some(&frame) = self.frames.last() {
            let depth = self.frames.len();
            let child = if self.children.len() > frame.first { self.children.pop() } else { None };
            let Some(child) = child.filter(|child| child.bound < limit) else {
                // The others of the frame are no better.
                let left = self.children.len() - frame.first + usize::from(child.is_some());
                self.searched += frame.share / self.shares.first(left);
                self.children.truncate(frame.first);
                self.frames.pop();
                continue;
            };
            self.frames[depth - 1].share *= Shares::RATIO;
            let job = ground.columns.jobs()[child.lane as usize];
            self.nodes.truncate(depth);
            self.nodes.push_child_of(&ground.tree, depth - 1, job, child.lane as usize, frame.end);
            self.placements.truncate(self.given + depth - 1);
            let placement = Placement { job, end: frame.end };
            self.placements.push(placement);
            self.sets.truncate(depth);
            self.sets.push(self.sets[depth - 1].with(placement));
            if self.is_known(frontier, *epoch, depth) {
                self.searched += frame.share;
                continue;
            }
            self.branch(ground, depth, frame.share, &mut limit, supervisor);
            if self.priced >= self.children_per_look {
                match self.look(ground, frontier, supervisor) {
                    Some(new) => limit = new,
                    None => return DiveEnd::Paused,
                }
                if supervisor.wants_tasks() {
                    let tasks = self.split(ground);
                    supervisor.take(tasks);
                }
            }
        }
        let _ = self.look(ground, frontier, supervisor);
        DiveEnd::Exhausted
    }

    /// Whether a node that is at least as good as node number `index` of the path was branched before. Small subtrees are
    /// searched sooner than looked up.
    #[inline(always)]
    fn is_known(&self, frontier: &Frontier<E>, epoch: u64, index: usize) -> bool {
        let node = || self.nodes.get(index);
        self.pair_test.has_large_subtrees(self.given + index)
            && frontier.memo.as_ref().is_some_and(|memo| memo.knows_better(self.sets[index], epoch, node()))
    }

    /// Makes the task's node the only one.
    fn plant(&mut self, ground: &Ground<E>, task: &Task<E>) {
        self.frames.clear();
        self.children.clear();
        self.nodes.clear(ground.columns.num_blocks());
        self.nodes.push_root(&ground.tree);
        let mut next = Nodes::new(ground.tree.num_machines());
        for placed in task.placements() {
            // Lanes are numbered as the jobs are.
            next.clear(ground.columns.num_blocks());
            next.push_child(&ground.tree, self.nodes.get(0), placed.job, placed.job as usize, placed.end);
            std::mem::swap(&mut next, &mut self.nodes);
        }
        self.placements.clear();
        self.placements.extend(task.placements());
        self.given = self.placements.len();
        self.sets.clear();
        self.sets.push(task.placements().fold(Sets::default(), Sets::with));
    }

    fn look(
        &mut self,
        ground: &Ground<E>,
        frontier: &Frontier<E>,
        supervisor: &mut impl Supervisor<E>,
    ) -> Option<E> {
        self.pair_test.judge(&ground.pairs, &frontier.lessons);
        let limit = supervisor.report(self.branched, self.priced, self.searched, self.least_bound());
        (self.branched, self.priced, self.searched) = (0, 0, 0.0);
        limit
    }

    /// Prices the children of node number `index` of the path and keeps those below the limit for later.
    #[inline(always)]
    fn branch(
        &mut self,
        ground: &Ground<E>,
        index: usize,
        share: f64,
        limit: &mut E,
        supervisor: &mut impl Supervisor<E>,
    ) {
        let depth = self.given + index;
        let open = ground.tree.num_jobs() - depth;
        self.branched += 1;
        self.priced += open as u64;
        let mut second_test = self.pair_test.visit(depth);
        let node = self.nodes.get(index);
        self.pricer.price(&ground.columns, node, *limit);
        let end = self.pricer.narrower_end();
        if self.pricer.count(end) == 0 {
            self.searched += share;
            return;
        }
        if open == 1 {
            // Everything is placed then: the bound is the makespan.
            let lane = first_lane(self.pricer.kept(end));
            *limit = supervisor.found(order_of(&self.placements, ground.columns.jobs()[lane]));
            self.searched += share;
            return;
        }
        let first = self.children.len();
        let bounds = self.pricer.bounds(end);
        for (block, &kept) in self.pricer.kept(end).iter().enumerate() {
            let mut bits = kept;
            while bits != 0 {
                let lane = block * BLOCK + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let job = ground.columns.jobs()[lane];
                let suspect = Suspect { node, job, end, depth: depth + 1 };
                let is_excluded = second_test != Thoroughness::None
                    && self.pair_test.excludes(second_test, &ground.pairs, &ground.tree, suspect, *limit);
                second_test = self.pair_test.next(second_test, depth);
                if !is_excluded {
                    self.children.push(Child { bound: bounds[lane], lane: lane as u32 });
                    if open <= FEW {
                        sort_last(&mut self.children, first);
                    }
                }
            }
        }
        if open > FEW {
            sort_all(&mut self.children[first..]);
        }
        let count = self.children.len() - first;
        if count == 0 {
            self.searched += share;
        } else {
            self.frames.push(Frame { end, first, share: share * self.shares.first(count) });
        }
    }
}

fn first_lane(kept: &[u32]) -> usize {
    let block = kept.iter().position(|&bits| bits != 0).unwrap_or(0);
    block * BLOCK + kept[block].trailing_zeros() as usize
}
