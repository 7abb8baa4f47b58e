//! One thread's share of the search: iterated greedy, beam search and branch and bound in turn.

use pfss_core::{Instance, Rng, Run, Time};
use pfss_heuristics::beam::{BeamSearch, HandMade, Plan, Schedule};
use pfss_heuristics::iterated_greedy::{IteratedGreedyConfig, IteratedGreedySearch};

use super::exact::{self, Exact};
use super::place::Place;
use super::shape;

/// The least work of iterated greedy between two beam passes, in evaluations: some milliseconds, once as much was done
/// before.
const LEAST_SLICE: u64 = 1 << 19;

/// The same at the beginning, so that every part has had a turn when a short limit ends the run.
const FIRST_SLICE: u64 = 1 << 13;

/// Evaluations of the others before branch and bound begins: what it prepares takes milliseconds with many machines.
const PROOF_AFTER: u64 = 1 << 18;

/// Children that a pass prices in a second on one machine, cautiously; more machines take longer.
const CHILDREN_PER_SECOND: f64 = 1e8;

/// Iterated greedy, beam search and branch and bound on one instance. Work is counted in evaluations, never in seconds, so
/// that an evaluation budget gives the same answer everywhere.
pub(crate) struct Portfolio<'p, T: Time> {
    instance: &'p Instance<T>,
    rng: Option<Rng>,
    /// Made when its turn comes: its first descent takes a while on large instances.
    greedy: Option<IteratedGreedySearch<'p, T>>,
    greedy_share: f64,
    greedy_work: u64,
    /// The least work of its first turn.
    first_slice: u64,
    beam: BeamSearch<'p, T>,
    schedule: Schedule<T>,
    beam_work: u64,
    /// Seconds spent in passes, and the children and the width of the last one.
    beam_seconds: f64,
    last_pass: u64,
    last_width: usize,
    /// How many threads search.
    workers: usize,
    /// Whether this thread proves, and its search once that has begun.
    proves: bool,
    exact: Option<Exact<'p, T>>,
}

impl<'p, T: Time> Portfolio<'p, T> {
    /// The portfolio of one thread, from the best order so far.
    pub(crate) fn new(instance: &'p Instance<T>, place: Place, run: &Run<'_, T>) -> Self {
        let Place { worker, workers, memory } = place;
        let rng = Some(run.seed().child("auto").nth(worker as u64).rng());
        let beam = BeamSearch::new(instance);
        // Threads differ: odd ones lean to iterated greedy, further even ones follow another guide.
        let share = shape::iterated_greedy_share(instance);
        let (greedy_share, guide) = match worker {
            0 if workers == 1 => (share, None),
            worker if worker % 2 == 0 => (share / 2.0, None),
            _ => (0.5 + share / 2.0, Some(HandMade::Gap)),
        };
        let by_shape = Plan::new(&beam, memory);
        let plan = Plan { guide: guide.unwrap_or(by_shape.guide), ..by_shape };
        let schedule = Schedule::new(plan, &beam);
        Self {
            instance,
            rng,
            greedy: None,
            greedy_share,
            greedy_work: 0,
            first_slice: FIRST_SLICE,
            beam,
            schedule,
            beam_work: 0,
            beam_seconds: 0.0,
            last_pass: 0,
            last_width: 1,
            workers,
            // One thread proves.
            proves: worker + 1 == workers && instance.num_jobs() <= exact::MAX_JOBS,
            exact: None,
        }
    }

    /// The same with long turns from the beginning, for a caller that decides itself when to improve.
    pub(crate) fn in_long_turns(self) -> Self {
        Self { first_slice: LEAST_SLICE, ..self }
    }

    /// Searches until the run must end.
    pub(crate) fn search(mut self, run: &Run<'_, T>) {
        while !run.must_end() {
            let others = self.greedy_work + self.beam_work;
            if self.proves && self.exact.is_none() && (others >= PROOF_AFTER || self.schedule.is_finished()) {
                self.exact = Some(Exact::new(self.instance, self.workers));
            }
            if let Some(exact) = &mut self.exact
                && exact.is_due(others, run)
            {
                exact.step(others, run);
                continue;
            }
            self.improve(run);
        }
    }

    /// Looks for better orders, for about this many evaluations.
    pub(crate) fn improve_for(&mut self, evaluations: u64, run: &Run<'_, T>) {
        let until = self.greedy_work + self.beam_work + evaluations;
        while self.greedy_work + self.beam_work < until && !run.must_end() {
            self.improve(run);
        }
    }

    /// One turn of iterated greedy or beam search.
    fn improve(&mut self, run: &Run<'_, T>) {
        // Iterated greedy's turn comes when its share allows for a whole slice of it.
        let after_slice = (self.greedy_work + self.slice()) as f64;
        let greedy_turn =
            (1.0 - self.greedy_share) * after_slice <= self.greedy_share * self.beam_work as f64;
        if self.schedule.is_finished() || greedy_turn || !self.pass_fits(run) {
            self.run_greedy(run);
        } else {
            let begun = run.elapsed();
            self.last_width = self.schedule.width();
            let result = self.schedule.step(&mut self.beam, run);
            self.beam_seconds += (run.elapsed() - begun).as_secs_f64();
            self.beam_work += result.children;
            self.last_pass = result.children;
        }
    }

    fn run_greedy(&mut self, run: &Run<'_, T>) {
        let Some((order, cost)) = run.best() else { return };
        let slice = self.slice();
        let greedy = match (&mut self.greedy, self.rng.take()) {
            (Some(greedy), _) => {
                if cost < greedy.best_cost() {
                    greedy.restart(&order, run);
                }
                greedy
            }
            (none, rng) => {
                let rng = rng.unwrap_or_else(|| run.stream("auto"));
                let config = IteratedGreedyConfig::default();
                none.insert(IteratedGreedySearch::new(self.instance, config, rng, &order, run))
            }
        };
        self.greedy_work += greedy.run_for(slice, run);
    }

    /// What iterated greedy does in one turn. The first one includes a descent to a local optimum, which
    /// prices each job a few times.
    fn slice(&self) -> u64 {
        let descent = if self.greedy.is_none() { 4 * (self.instance.num_jobs() as u64).pow(2) } else { 0 };
        let least = (self.greedy_work + self.beam_work).clamp(self.first_slice, LEAST_SLICE);
        least.max(self.last_pass / 4).max(descent)
    }

    /// Whether the next pass can end within the limit; a pass that is cut off is lost.
    fn pass_fits(&self, run: &Run<'_, T>) -> bool {
        let next = self.next_pass();
        match (run.limits().evaluations, run.remaining()) {
            (Some(limit), _) => run.evaluations() as f64 + next <= limit as f64,
            (None, Some(remaining)) => next <= self.children_per_second() * remaining.as_secs_f64(),
            (None, None) => true,
        }
    }

    /// How many children the next pass will price: as the last one, or, at first, each open job of each node.
    fn next_pass(&self) -> f64 {
        let (width, n) = (self.schedule.width() as f64, self.instance.num_jobs() as f64);
        if self.last_pass == 0 {
            width * n * n / 2.0
        } else {
            self.last_pass as f64 * width / self.last_width as f64
        }
    }

    /// The speed of this thread's own passes; at first a cautious guess.
    fn children_per_second(&self) -> f64 {
        if self.beam_work == 0 || self.beam_seconds == 0.0 {
            CHILDREN_PER_SECOND / self.instance.num_machines() as f64
        } else {
            self.beam_work as f64 / self.beam_seconds
        }
    }
}
