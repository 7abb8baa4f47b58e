//! One thread's share of the search: iterated greedy and beam search in turn.

use pfss_core::{Instance, Run, Time};
use pfss_heuristics::beam::{BeamConfig, BeamSearch, GuideChoice, Schedule};
use pfss_heuristics::iterated_greedy::{IteratedGreedyConfig, IteratedGreedySearch};

use super::shape;

/// The least work of iterated greedy between two beam passes, in evaluations: some milliseconds.
const LEAST_SLICE: u64 = 1 << 19;

/// Iterated greedy and beam search on one instance. Work is counted in evaluations, never in seconds, so
/// that an evaluation budget gives the same answer everywhere.
pub(super) struct Portfolio<'p, T: Time> {
    greedy: IteratedGreedySearch<'p, T>,
    greedy_share: f64,
    greedy_work: u64,
    beam: BeamSearch<'p, T>,
    schedule: Schedule<T>,
    beam_work: u64,
    last_pass: u64,
}

impl<'p, T: Time> Portfolio<'p, T> {
    /// The portfolio of thread number `worker` of `workers`, from the best order so far.
    pub(super) fn new(instance: &'p Instance<T>, worker: usize, workers: usize, run: &Run<'_, T>) -> Self {
        let rng = run.seed().child("auto").nth(worker as u64).rng();
        let start = run.best().map_or_else(|| (0..instance.num_jobs() as u32).collect(), |(order, _)| order);
        let greedy = IteratedGreedySearch::new(instance, IteratedGreedyConfig::default(), rng, &start, run);
        let beam = BeamSearch::new(instance);
        // Threads differ: odd ones lean to iterated greedy, further even ones follow another guide.
        let share = shape::iterated_greedy_share(instance);
        let (greedy_share, guide) = match worker {
            0 if workers == 1 => (share, GuideChoice::Auto),
            worker if worker % 2 == 0 => (share / 2.0, GuideChoice::Auto),
            _ => (0.5 + share / 2.0, GuideChoice::Gap),
        };
        let config = BeamConfig { guide, ..BeamConfig::default() };
        let schedule = Schedule::new(config.plan(&beam), &beam);
        Self { greedy, greedy_share, greedy_work: 0, beam, schedule, beam_work: 0, last_pass: 0 }
    }

    /// Searches until the run must end.
    pub(super) fn search(mut self, run: &Run<'_, T>) {
        while !run.must_end() {
            let owed = self.greedy_share * self.beam_work as f64;
            let paid = (1.0 - self.greedy_share) * self.greedy_work as f64;
            if self.schedule.is_finished() || paid < owed || !self.pass_fits(run) {
                self.run_greedy(run);
            } else {
                let result = self.schedule.step(&mut self.beam, run);
                self.beam_work += result.children;
                self.last_pass = result.children;
            }
        }
    }

    fn run_greedy(&mut self, run: &Run<'_, T>) {
        if run.best_cost() < self.greedy.best_cost()
            && let Some((order, _)) = run.best()
        {
            self.greedy.restart(&order, run);
        }
        let slice = LEAST_SLICE.max(self.last_pass / 4);
        self.greedy_work += self.greedy.run_for(slice, run);
    }

    /// Whether the next pass can end within the limit; a pass that is cut off is lost.
    fn pass_fits(&self, run: &Run<'_, T>) -> bool {
        let next = self.last_pass as f64;
        match (run.limits().evaluations, run.remaining()) {
            (Some(limit), _) => run.evaluations() as f64 + next <= limit as f64,
            (None, Some(remaining)) => {
                let speed = run.evaluations() as f64 / run.elapsed().as_secs_f64();
                next <= speed * remaining.as_secs_f64()
            }
            (None, None) => true,
        }
    }
}
