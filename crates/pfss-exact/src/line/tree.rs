//! Depth-first search over all orders that the bounds cannot exclude, in turns of any length.

use pfss_core::timing::pricing::FrontRules;
use pfss_core::timing::{Line, Relaxation, Score};
use pfss_core::{JobId, Run};

use super::dominance::Dominance;

/// Jobs beyond this are not told apart by bits.
const MOST_JOBS_OF_SETS: usize = 128;

/// A beginning of an order with the children that are still to be looked at.
#[derive(Debug, Default)]
struct Node {
    cost: u64,
    lateness: u32,
    end: u32,
    /// Bound and job of each child, the most promising last.
    children: Vec<(u64, JobId)>,
}

/// A search tree whose open part is the path to the current node.
pub struct LineTree<'l> {
    line: &'l Line,
    rules: FrontRules<'l>,
    relaxation: Relaxation<'l>,
    dominance: Dominance,
    order: Vec<JobId>,
    /// By number of jobs.
    nodes: Vec<Node>,
    states: Vec<u32>,
    /// By job: how many predecessors are missing; more than there are jobs where it is placed.
    missing: Vec<usize>,
    left: Vec<JobId>,
    depth: usize,
    nodes_made: u64,
}

impl<'l> LineTree<'l> {
    /// The tree of a line, with room for about so many bytes.
    pub fn new(line: &'l Line, memory: usize, run: &Run<'_, Score>) -> Self {
        let rules = FrontRules::new(line);
        let (n, width) = (line.num_jobs(), rules.width());
        let room = if n <= MOST_JOBS_OF_SETS { memory } else { 0 };
        let mut tree = Self {
            line,
            relaxation: Relaxation::new(line),
            dominance: Dominance::new(width, room),
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
        for &job in line.first() {
            tree.place(job);
        }
        tree.depth = tree.order.len();
        tree.branch(u64::MAX, run);
        tree
    }

    /// How many nodes were made so far.
    pub fn nodes(&self) -> u64 {
        self.nodes_made
    }

    /// Whether everything was searched.
    pub fn is_finished(&self) -> bool {
        self.order.len() == self.depth && self.nodes[self.depth].children.is_empty()
    }

    /// A score that no order undercuts that was not looked at.
    pub fn open_bound(&self) -> Option<Score> {
        let open = self.nodes[self.depth..=self.order.len()].iter();
        open.filter_map(|node| node.children.iter().map(|child| child.0).min()).min().map(Score)
    }

    /// Searches until about so many nodes were made or the run must end. Raises the run's bound when nothing is left.
    pub fn run_for(&mut self, nodes: u64, run: &Run<'_, Score>) {
        const NODES_PER_LOOK: u64 = 64;
        let (until, mut looked) = (self.nodes_made.saturating_add(nodes), self.nodes_made);
        while self.nodes_made < until && !self.is_finished() {
            self.dive(run);
            if self.nodes_made - looked >= NODES_PER_LOOK || self.relaxation.is_cut() {
                run.count(self.nodes_made - looked);
                looked = self.nodes_made;
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
        if self.order.len() == self.line.num_jobs() {
            let node = &self.nodes[self.order.len()];
            let (makespan, lateness) = self.line.costs_of_greatest();
            let score = node.cost + makespan * u64::from(node.end) + lateness * u64::from(node.lateness);
            run.offer(&self.order, Score(score));
            self.take_back();
        } else if self.is_excluded() {
            self.take_back();
        } else {
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
        let (count, width) = (self.order.len(), self.rules.width());
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
            self.left.clear();
            let n = self.line.num_jobs();
            self.left.extend((0..n as JobId).filter(|&job| self.missing[job as usize] < n));
            let node = &self.nodes[count + 1];
            let state = &self.states[(count + 1) * width..(count + 2) * width];
            let (cost, lateness, end) = (node.cost, node.lateness, node.end);
            let go_on = || !run.is_called_off();
            let (relaxation, left) = (&mut self.relaxation, &self.left);
            let bound = relaxation.bound_while(&go_on, &self.rules, state, left, cost, lateness, end, cutoff);
            is_called_off = self.relaxation.is_cut();
            if bound < cutoff {
                children.push((bound, job));
            }
            self.take_back();
        }
        children.sort_unstable_by(|a, b| b.cmp(a));
        self.nodes[count].children = children;
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
