//! Search over all orders that the bounds cannot exclude, in turns of any length: best first as long as the open beginnings
//! are few, so that the bound of the whole rises, and depth first below.

use pfss_core::timing::pricing::FrontRules;
use pfss_core::timing::{Line, Relaxation, Score};
use pfss_core::{JobId, Run, Time};

use super::dominance::Dominance;
use super::frontier::{Frontier, Open};

/// Jobs beyond this are not told apart by bits.
const MOST_JOBS_OF_SETS: usize = 128;

/// With so few jobs left a subtree is small, and is searched at once.
const FEW_LEFT: usize = 4;

/// A beginning of an order with the children that are still to be looked at.
#[derive(Debug, Default)]
pub(super) struct Node {
    cost: u64,
    lateness: u32,
    end: u32,
    /// Bound and job of each child, the most promising last.
    pub(super) children: Vec<(u64, JobId)>,
}

/// A search tree. Open are the beginnings of the frontier, and the path of the present dive with its children.
///
/// What a beginning excludes by dominance is made good by the other one, which was branched already: its children are
/// searched, excluded for the same reason (by longer beginnings, so this ends), or open. So it does not matter in which
/// sequence beginnings are taken, and a part that goes on from open nodes alone misses nothing.
pub struct LineTree<'l> {
    pub(super) line: &'l Line,
    rules: FrontRules<'l>,
    relaxation: Relaxation<'l>,
    dominance: Dominance,
    pub(super) frontier: Frontier,
    /// The bound of the last beginning that was taken from the frontier: all that is open there is no less.
    least: u64,
    pub(super) order: Vec<JobId>,
    /// By number of jobs.
    pub(super) nodes: Vec<Node>,
    states: Vec<u32>,
    /// By job: how many predecessors are missing; more than there are jobs where it is placed.
    missing: Vec<usize>,
    left: Vec<JobId>,
    /// How many jobs the beginning has below which the present dive is.
    pub(super) depth: usize,
    nodes_made: u64,
}

impl<'l> LineTree<'l> {
    /// The tree of a line, with room for about so many bytes.
    pub fn new(line: &'l Line, memory: usize) -> Self {
        let rules = FrontRules::new(line);
        let (n, width) = (line.num_jobs(), rules.width());
        let room = if n <= MOST_JOBS_OF_SETS { memory } else { 0 };
        let mut tree = Self {
            line,
            relaxation: Relaxation::new(line),
            dominance: Dominance::new(width, room),
            frontier: Frontier::default(),
            least: 0,
            order: Vec::with_capacity(n),
            nodes: (0..=n).map(|_| Node::default()).collect(),
            states: vec![0; (n + 1) * width],
            missing: (0..n as JobId).map(|job| line.predecessors(job).len()).collect(),
            left: Vec::new(),
            depth: 0,
            nodes_made: 0,
            rules,
        };
        tree.rules.begin(&mut tree.states[..width]);
        tree.frontier.push(Open { bound: 0, order: line.first().to_vec() });
        tree
    }

    /// How many nodes were made so far.
    pub fn nodes(&self) -> u64 {
        self.nodes_made
    }

    /// Whether everything was searched.
    pub fn is_finished(&self) -> bool {
        self.is_dive_over() && self.frontier.is_empty()
    }

    fn is_dive_over(&self) -> bool {
        self.order.len() == self.depth && self.nodes[self.depth].children.is_empty()
    }

    /// Searches until about so many nodes were made or the run must end. Raises the run's bound as far as all that is open
    /// allows.
    pub fn run_for(&mut self, nodes: u64, run: &Run<'_, Score>) {
        const NODES_PER_LOOK: u64 = 64;
        let (until, mut looked) = (self.nodes_made.saturating_add(nodes), self.nodes_made);
        while self.nodes_made < until && !self.is_finished() {
            if self.is_dive_over() {
                self.take_next(run);
            } else {
                self.dive(run);
            }
            if self.nodes_made - looked >= NODES_PER_LOOK || self.relaxation.is_cut() {
                run.count(self.nodes_made - looked);
                looked = self.nodes_made;
                run.raise_bound(Score(self.least).minimum(run.best_cost()));
                if run.must_end() {
                    break;
                }
            }
        }
        run.count(self.nodes_made - looked);
        if self.is_finished() && run.best_cost() < Score(u64::MAX) {
            run.raise_bound(run.best_cost());
        }
    }

    /// Takes the beginning with the least bound from the frontier. As long as there is room its children wait there, otherwise
    /// a dive begins.
    fn take_next(&mut self, run: &Run<'_, Score>) {
        let Some(Open { bound, order }) = self.frontier.pop_below(run.best_cost().0) else { return };
        self.least = self.least.max(bound);
        self.go_to(&order);
        self.enter(run);
        let children = &mut self.nodes[self.depth].children;
        if order.len() + FEW_LEFT < self.line.num_jobs() && children.len() <= self.frontier.room() {
            for (child, job) in children.drain(..) {
                let order = order.iter().copied().chain([job]).collect();
                self.frontier.push(Open { bound: child.max(bound), order });
            }
        }
    }

    /// Makes a beginning the current node, below which the next dive is.
    fn go_to(&mut self, order: &[JobId]) {
        let same = self.order.iter().zip(order).take_while(|(a, b)| a == b).count();
        while self.order.len() > same {
            self.take_back();
        }
        order[same..].iter().for_each(|&job| self.place(job));
        self.depth = order.len();
    }

    /// Looks at the next child of the current node, or goes back.
    fn dive(&mut self, run: &Run<'_, Score>) {
        let Some((bound, job)) = self.nodes[self.order.len()].children.pop() else {
            if self.order.len() > self.depth {
                self.take_back();
            }
            return;
        };
        if bound >= run.best_cost().0 {
            // The others are no better.
            self.nodes[self.order.len()].children.clear();
            return;
        }
        self.place(job);
        self.enter(run);
    }

    /// Offers the current node where it is an order, and makes its children where it may have better ones.
    fn enter(&mut self, run: &Run<'_, Score>) {
        let node = &mut self.nodes[self.order.len()];
        node.children.clear();
        if self.order.len() == self.line.num_jobs() {
            let (makespan, lateness) = self.line.costs_of_greatest();
            let score = node.cost + makespan * u64::from(node.end) + lateness * u64::from(node.lateness);
            run.offer(&self.order, Score(score));
        } else if !self.is_excluded() {
            self.branch(run.best_cost().0, run);
        }
    }

    fn is_excluded(&mut self) -> bool {
        let width = self.rules.width();
        let (count, n) = (self.order.len(), self.line.num_jobs());
        if n > MOST_JOBS_OF_SETS {
            return false;
        }
        let set = self.order.iter().fold(0, |set, &job| set | 1u128 << job);
        let family = self.order.last().map_or(0, |&job| self.line.family(job));
        let node = &self.nodes[count];
        let state = &self.states[count * width..(count + 1) * width];
        self.dominance.excludes((set, family), node.cost, node.lateness, state)
    }

    /// Makes the children of the current node that the bounds do not exclude. Where the run is called off, the others stay open:
    /// on large instances each takes long.
    fn branch(&mut self, cutoff: u64, run: &Run<'_, Score>) {
        let count = self.order.len();
        let mut children = std::mem::take(&mut self.nodes[count].children);
        children.clear();
        let mut is_called_off = false;
        for job in 0..self.line.num_jobs() as JobId {
            if self.missing[job as usize] > 0 {
                continue;
            }
            if is_called_off {
                children.push((0, job));
                continue;
            }
            self.place(job);
            self.nodes_made += 1;
            let bound = self.bound_here(cutoff, &|| !run.is_called_off());
            is_called_off = self.relaxation.is_cut();
            if bound < cutoff {
                children.push((bound, job));
            }
            self.take_back();
        }
        children.sort_unstable_by(|a, b| b.cmp(a));
        self.nodes[count].children = children;
    }

    /// A score that no order with the current beginning undercuts; what reaches `cutoff` need not be the best bound, nor what
    /// `go_on` ends.
    fn bound_here(&mut self, cutoff: u64, go_on: &dyn Fn() -> bool) -> u64 {
        let (count, n, width) = (self.order.len(), self.line.num_jobs(), self.rules.width());
        self.left.clear();
        self.left.extend((0..n as JobId).filter(|&job| self.missing[job as usize] < n));
        let node = &self.nodes[count];
        let state = &self.states[count * width..(count + 1) * width];
        let (cost, lateness, end) = (node.cost, node.lateness, node.end);
        let (relaxation, left) = (&mut self.relaxation, &self.left);
        relaxation.bound(go_on, &self.rules, state, left, cost, lateness, end, cutoff)
    }

    fn place(&mut self, job: JobId) {
        let (count, width) = (self.order.len(), self.rules.width());
        let (old, new) = self.states[count * width..(count + 2) * width].split_at_mut(width);
        let end = self.rules.step(self.order.last().copied(), job, old, new);
        let of = self.line.job_cost(job);
        let (cost, lateness) = (self.nodes[count].cost, self.nodes[count].lateness);
        let child = &mut self.nodes[count + 1];
        child.cost = cost + of.at(end);
        child.lateness = lateness.max(of.lateness.map_or(0, |shifted| shifted + end));
        child.end = end;
        self.order.push(job);
        self.missing[job as usize] += self.line.num_jobs();
        for &after in self.line.successors(job) {
            self.missing[after as usize] -= 1;
        }
    }

    fn take_back(&mut self) {
        if let Some(job) = self.order.pop() {
            self.missing[job as usize] -= self.line.num_jobs();
            for &after in self.line.successors(job) {
                self.missing[after as usize] += 1;
            }
        }
    }
}
