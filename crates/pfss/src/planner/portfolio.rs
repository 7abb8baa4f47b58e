//! One thread's share: beams, iterated greedy and branch and bound in turn.

use pfss_core::Run;
use pfss_core::timing::{Gap, Line, Objective, Score};
use pfss_exact::LineTree;
use pfss_heuristics::planner::{BeamShape, LineBeam, LineGreedy, LineGreedyConfig};

use super::clock::{now, remaining};
use super::place::Place;

/// Up to so many jobs that are not fixed, branch and bound is run to its end before anything else.
const FEW_JOBS: usize = 9;

/// Up to so many, it has a share of the time.
const SOME_JOBS: usize = 24;

/// The share of branch and bound there.
const PROOF_SHARE: f64 = 0.2;

/// A turn takes this share of the time so far, at least and at most so many seconds.
const TURN: f64 = 0.2;
const SHORTEST_TURN: f64 = 1e-3;
const LONGEST_TURN: f64 = 1.0;

/// Iterated greedy cools down from so many times its usual temperature to so many (blocking, ta043, ta062, ta073 and ta083: a
/// thousandth or two shorter). With many jobs there is no time to begin hot.
const HOT: f64 = 3.0;
const COLD: f64 = 0.3;

/// From so many jobs on.
const MANY_JOBS: usize = 150;

/// What idle time and work count.
const fn shape(idle: f64, work: f64) -> BeamShape {
    BeamShape { idle, work }
}

/// What passes weigh idle time with, in turn, so that they differ (ta051, ta071, ta081 and ta091: none is always best).
const SHAPES: [BeamShape; 4] = [shape(1.0, 1.0), shape(0.85, 1.0), shape(1.2, 1.0), shape(0.7, 1.0)];

/// Where the makespan counts, idle time is all that there is to see, and weighs more.
const IDLE_OF_MAKESPAN: f64 = 4.0;

/// Without buffers all machines move in step, and idle time anywhere is as bad as at the end (blocking, ta071, ta081, ta091 and
/// ta101).
const SHAPES_OF_BLOCKING: [BeamShape; 4] =
    [shape(100.0, 1.0), shape(100.0, 1.2), shape(100.0, 0.8), shape(16.0, 1.0)];

/// The parts of one thread.
pub(super) struct Portfolio<'l> {
    line: &'l Line,
    worker: usize,
    greedy: Option<LineGreedy<'l>>,
    beam: Option<Beams<'l>>,
    tree: Option<LineTree<'l>>,
    /// What each part had.
    greedy_spent: f64,
    beam_spent: f64,
    tree_spent: f64,
}

/// Passes of a beam, wider and wider.
struct Beams<'l> {
    beam: LineBeam<'l>,
    most: usize,
    passes: usize,
    /// Width of the last pass, and what it took for each beginning.
    last: Option<(usize, f64)>,
}

impl<'l> Portfolio<'l> {
    pub(super) fn new(line: &'l Line, place: Place, run: &Run<'_, Score>) -> Self {
        let Place { worker, threads } = place;
        let free = line.num_jobs() - line.first().len();
        let memory = run.memory() / (2 * threads);
        let beam = (LineBeam::suits(line) && free > FEW_JOBS).then(|| {
            let beam = LineBeam::new(line, SHAPES[0]);
            let most = (memory / beam.bytes_per_width()).max(1);
            Beams { beam, most, passes: worker, last: None }
        });
        let tree = (worker == 0 && free <= SOME_JOBS).then(|| LineTree::new(line, memory));
        Self { line, worker, greedy: None, beam, tree, greedy_spent: 0.0, beam_spent: 0.0, tree_spent: 0.0 }
    }

    /// Searches until the run must end.
    pub(super) fn search(mut self, run: &Run<'_, Score>) {
        let free = self.line.num_jobs() - self.line.first().len();
        if free <= FEW_JOBS {
            if let Some(tree) = &mut self.tree {
                tree.run_for(u64::MAX, run);
            }
            return;
        }
        while !run.must_end() {
            let total = self.greedy_spent + self.beam_spent + self.tree_spent;
            let begun = now(run);
            if self.tree.is_some() && self.tree_spent <= PROOF_SHARE * total {
                self.prove(run);
                self.tree_spent += now(run) - begun;
            } else if self.beam.is_some() && self.beam_spent <= self.beam_share() * total {
                self.sweep(run);
                self.beam_spent += now(run) - begun;
            } else {
                self.improve(run);
                self.greedy_spent += now(run) - begun;
            }
        }
    }

    /// Beams find most where there are many jobs, iterated greedy where there are few.
    fn beam_share(&self) -> f64 {
        let is_makespan = self.line.objectives().next() == Some(Objective::Makespan);
        match (is_makespan, self.line.num_jobs()) {
            (false, 80..) => 0.85,
            (false, _) => 0.5,
            (true, MANY_JOBS..) => 0.4,
            (true, _) => 0.1,
        }
    }

    /// How passes compare beginnings, in turn.
    fn shapes(&self) -> [BeamShape; 4] {
        let is_makespan = self.line.objectives().next() == Some(Objective::Makespan);
        let has_room = |machine| self.line.gap(machine) == Gap::Unlimited;
        let weighed = |shape: BeamShape| BeamShape { idle: IDLE_OF_MAKESPAN * shape.idle, ..shape };
        match is_makespan {
            true if (0..self.line.num_machines() - 1).any(|machine| !has_room(machine)) => SHAPES_OF_BLOCKING,
            true => SHAPES.map(weighed),
            false => SHAPES,
        }
    }

    /// A turn of branch and bound.
    fn prove(&mut self, run: &Run<'_, Score>) {
        let Some(tree) = &mut self.tree else { return };
        tree.run_for(tree.nodes().clamp(500, 20_000), run);
        if tree.is_finished() {
            self.tree = None;
        }
    }

    /// The next pass of the beam; the last one is as wide as its share of the time allows.
    fn sweep(&mut self, run: &Run<'_, Score>) {
        let left = self.beam_share() * remaining(run);
        let shapes = self.shapes();
        let Some(Beams { beam, most, passes, last }) = &mut self.beam else { return };
        let begun = now(run);
        let mut width = 1;
        if let Some((before, price)) = *last {
            width = (2 * before).min(*most);
            // Where the next doubling but one does not fit, one wide pass instead.
            if price * width as f64 * 3.0 > left {
                width = ((left / price) as usize).min(*most);
            }
            if width <= before + before / 4 {
                self.beam = None;
                return;
            }
        }
        beam.set_shape(shapes[*passes % shapes.len()]);
        *passes += 1;
        // A level costs as much as there are jobs left: a pass that will not end in time is given up.
        let jobs = self.line.num_jobs() as f64;
        let fits = |depth: usize| {
            let done = 1.0 - (1.0 - (depth + 1) as f64 / jobs).powi(2);
            now(run) - begun <= left * (done + 0.05)
        };
        match beam.pass(width, run, fits) {
            Some(_) => *last = Some((width, (now(run) - begun).max(1e-9) / width as f64)),
            None => self.beam = None,
        }
    }

    /// A turn of iterated greedy.
    fn improve(&mut self, run: &Run<'_, Score>) {
        let Some((order, score)) = run.best() else { return };
        let Some(greedy) = &mut self.greedy else {
            let rng = run.seed().child("planner").nth(self.worker as u64).rng();
            self.greedy = Some(LineGreedy::new(self.line, LineGreedyConfig::default(), rng, &order, run));
            return;
        };
        if score < greedy.best_score() {
            greedy.restart(&order, run);
        }
        let begun = now(run);
        let left = remaining(run);
        let progress = if left.is_finite() { begun / (begun + left).max(1e-9) } else { 0.0 };
        let hot = if self.line.num_jobs() < MANY_JOBS { HOT } else { 1.0 };
        greedy.set_temperature(hot * (COLD / hot).powf(progress));
        let turn = (TURN * begun).clamp(SHORTEST_TURN, LONGEST_TURN);
        loop {
            greedy.iterate(run);
            if now(run) >= begun + turn || run.must_end() || !greedy.can_move() {
                break;
            }
        }
    }
}
