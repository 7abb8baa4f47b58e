//! A forward beam: orders grow from the front, level by level, and of each level the most promising are kept.
//!
//! Beginnings are compared by what they cost, and by how long machines stood idle: all jobs that are left wait for that
//! (Libralesso, Focke, Secardin and Jost 2022).

use pfss_core::timing::pricing::{Children, Front, FrontRules};
use pfss_core::timing::{Line, Objective, Score};
use pfss_core::{JobId, Run};

/// Operations between two looks at the clock: a few milliseconds without registers.
const OPERATIONS_PER_LOOK: usize = 1_000_000;

/// How beginnings are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamShape {
    /// What a unit of idle time counts, as a multiple of the usual.
    pub idle: f64,
    /// What a unit of work counts against idle time. Above one, long jobs come earlier.
    pub work: f64,
}

/// The beginnings of a level.
#[derive(Default)]
struct Level {
    states: Vec<u32>,
    sets: Vec<u64>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    cost: u64,
    lateness: u32,
    last: Option<JobId>,
    /// Work of its jobs on all machines, and on the last.
    work: f64,
    last_work: f64,
    /// The weight of the jobs that are left.
    weight: f64,
}

/// A child of a node of the level before.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    guide: f64,
    parent: u32,
    job: JobId,
}

/// A beam on one line, pass by pass.
pub struct LineBeam<'l> {
    line: &'l Line,
    rules: FrontRules<'l>,
    children: Children<'l>,
    shape: BeamShape,
    objective: Objective,
    /// What a tick of the objective costs, per unit of weight where jobs have some.
    unit: f64,
    work: Vec<f64>,
    weights: Vec<f32>,
    spare: Vec<u32>,
    choice: Vec<Candidate>,
    /// Parent and job of every node, level by level.
    history: Vec<Vec<(u32, JobId)>>,
    /// Operations since the last look at the clock.
    unseen: usize,
}

impl<'l> LineBeam<'l> {
    /// Whether beams suit the most important objective of a line.
    pub fn suits(line: &Line) -> bool {
        matches!(line.objectives().next(), Some(Objective::TotalCompletion | Objective::Makespan))
    }

    /// A beam.
    pub fn new(line: &'l Line, shape: BeamShape) -> Self {
        let rules = FrontRules::new(line);
        let (n, m) = (line.num_jobs(), line.num_machines());
        let objective = line.objectives().next().unwrap_or(Objective::Makespan);
        let work: Vec<f64> = (0..n as JobId).map(|job| f64::from(line.shop().total_time(job))).collect();
        let first = (0..n as JobId).find(|&job| line.weight(job) > 0.0);
        let completion = first.map_or(1.0, |job| line.job_cost(job).completion as f64 / line.weight(job));
        let unit =
            if objective == Objective::Makespan { line.costs_of_greatest().0 as f64 } else { completion };
        Self {
            line,
            children: Children::new(rules.clone()),
            shape,
            objective,
            unit,
            work,
            weights: vec![1.0; m],
            spare: vec![0; rules.width()],
            choice: Vec::new(),
            history: Vec::new(),
            unseen: 0,
            rules,
        }
    }

    /// Compares beginnings in another way from the next pass on.
    pub fn set_shape(&mut self, shape: BeamShape) {
        self.shape = shape;
    }

    /// About how many operations a pass of this width takes.
    pub fn effort(&self, width: usize) -> f64 {
        let n = self.line.num_jobs() as f64;
        width as f64 * n * n / 2.0 * (self.line.num_machines() as f64 + 8.0)
    }

    /// About how many bytes a pass takes for each beginning that it keeps on a level.
    pub fn bytes_per_width(&self) -> usize {
        let n = self.line.num_jobs();
        // Two levels, candidates, and parents of all levels.
        2 * (4 * self.rules.width() + n / 8 + 72) + 5 * size_of::<Candidate>() + 8 * n
    }

    /// One pass: keeps `width` beginnings per level. Offers the best order; returns it with its score, or nothing when the
    /// run or `go_on` ends it before.
    pub fn pass(
        &mut self,
        width: usize,
        run: &Run<'_, Score>,
        go_on: impl Fn(usize) -> bool,
    ) -> Option<(Vec<JobId>, Score)> {
        let mut level = self.root();
        self.history.clear();
        let fixed = self.line.first().len();
        for depth in fixed..self.line.num_jobs() {
            self.choose(&level, depth, width, run);
            if !go_on(depth) || run.stop().is_some() {
                return None;
            }
            level = self.grow(&level, run)?;
        }
        let (makespan, lateness) = self.line.costs_of_greatest();
        let score = |index: usize| {
            let node = &level.nodes[index];
            let state = &level.states[index * self.rules.width()..];
            let end = u64::from(state[self.line.num_machines() - 1]);
            node.cost + makespan * end + lateness * u64::from(node.lateness)
        };
        let best = (0..level.nodes.len()).min_by_key(|&index| score(index))?;
        let order = self.order_of(best);
        let score = Score(score(best));
        run.offer(&order, score);
        Some((order, score))
    }

    /// The level of the fixed jobs.
    fn root(&mut self) -> Level {
        let line = self.line;
        let mut front = Front::new(&self.rules);
        let words = line.num_jobs().div_ceil(64);
        let mut sets = vec![0u64; words];
        let weight = (0..line.num_jobs() as JobId).map(|job| line.weight(job)).sum();
        let mut node = Node { cost: 0, lateness: 0, last: None, work: 0.0, last_work: 0.0, weight };
        for &job in line.first() {
            let end = front.append(&self.rules, job);
            node = self.child_of(&node, job, end);
            sets[job as usize / 64] |= 1 << (job % 64);
        }
        Level { states: front.state().to_vec(), sets, nodes: vec![node] }
    }

    fn child_of(&self, node: &Node, job: JobId, end: u32) -> Node {
        let cost = self.line.job_cost(job);
        let last = self.line.num_machines() - 1;
        Node {
            cost: node.cost + cost.at(end),
            lateness: node.lateness.max(cost.lateness.map_or(0, |shifted| shifted + end)),
            last: Some(job),
            work: node.work + self.work[job as usize],
            last_work: node.last_work + f64::from(self.line.shop().time(job, last)),
            weight: node.weight - self.line.weight(job),
        }
    }

    /// Finds the most promising children of a level.
    fn choose(&mut self, level: &Level, depth: usize, width: usize, run: &Run<'_, Score>) {
        let (n, m) = (self.line.num_jobs(), self.line.num_machines());
        let (state_width, words) = (self.rules.width(), n.div_ceil(64));
        let progress = (depth + 1) as f64 / n as f64;
        self.choice.clear();
        let mut limit = f64::INFINITY;
        for (parent, node) in level.nodes.iter().enumerate() {
            let state = &level.states[parent * state_width..(parent + 1) * state_width];
            let set = &level.sets[parent * words..(parent + 1) * words];
            let is_left = |job: JobId| set[job as usize / 64] >> (job % 64) & 1 == 0;
            self.children.append(node.last, state, &self.weights, is_left);
            for job in (0..n as JobId).filter(|&job| is_left(job)) {
                if self.line.predecessors(job).iter().any(|&before| is_left(before)) {
                    continue;
                }
                let end = self.children.end(job);
                let idle = f64::from(self.children.sum(job))
                    - self.shape.work * (node.work + self.work[job as usize]);
                let guide = match self.objective {
                    Objective::TotalCompletion => {
                        let cost = (node.cost + self.line.job_cost(job).at(end)) as f64;
                        let left = node.weight - self.line.weight(job);
                        cost + self.unit * self.shape.idle * left * idle / m as f64
                    }
                    _ => {
                        let last_work = node.last_work + f64::from(self.line.shop().time(job, m - 1));
                        let behind = f64::from(end) - last_work;
                        (1.0 - progress) * self.shape.idle * idle + progress * behind
                    }
                };
                if guide < limit {
                    self.choice.push(Candidate { guide, parent: parent as u32, job });
                }
            }
            run.count((n - depth) as u64);
            if self.choice.len() > 4 * width + n {
                limit = cut(&mut self.choice, width);
            }
            let is_due = parent % 64 == 63;
            if is_due && run.stop().is_some() || self.is_called_off(n * state_width, run) {
                return;
            }
        }
        cut(&mut self.choice, width);
    }

    /// Makes the chosen nodes; nothing when the run is called off.
    fn grow(&mut self, level: &Level, run: &Run<'_, Score>) -> Option<Level> {
        let width = self.rules.width();
        let words = self.line.num_jobs().div_ceil(64);
        let mut next = Level::default();
        let choice = std::mem::take(&mut self.choice);
        for &Candidate { parent, job, .. } in &choice {
            if self.is_called_off(width + words, run) {
                return None;
            }
            let index = parent as usize;
            let (node, state) = (&level.nodes[index], &level.states[index * width..(index + 1) * width]);
            let end = self.rules.step(node.last, job, state, &mut self.spare);
            next.states.extend_from_slice(&self.spare);
            let begin = next.sets.len();
            next.sets.extend_from_slice(&level.sets[index * words..(index + 1) * words]);
            next.sets[begin + job as usize / 64] |= 1 << (job % 64);
            next.nodes.push(self.child_of(node, job, end));
        }
        self.history.push(choice.iter().map(|chosen| (chosen.parent, chosen.job)).collect());
        self.choice = choice;
        Some(next)
    }

    /// Counts operations, and looks from time to time.
    fn is_called_off(&mut self, operations: usize, run: &Run<'_, Score>) -> bool {
        self.unseen += operations;
        if self.unseen < OPERATIONS_PER_LOOK {
            return false;
        }
        self.unseen = 0;
        run.is_called_off()
    }

    fn order_of(&self, mut index: usize) -> Vec<JobId> {
        let mut order = Vec::with_capacity(self.line.num_jobs());
        for level in self.history.iter().rev() {
            let (parent, job) = level[index];
            order.push(job);
            index = parent as usize;
        }
        order.extend(self.line.first().iter().rev());
        order.reverse();
        order
    }
}

/// Keeps the best `width` candidates; returns the guide that others must undercut.
fn cut(choice: &mut Vec<Candidate>, width: usize) -> f64 {
    if choice.len() <= width {
        return f64::INFINITY;
    }
    choice.select_nth_unstable_by(width - 1, |a, b| {
        a.guide.total_cmp(&b.guide).then(a.parent.cmp(&b.parent)).then(a.job.cmp(&b.job))
    });
    choice.truncate(width);
    choice[width - 1].guide
}
