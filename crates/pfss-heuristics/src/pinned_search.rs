//! Improving an order of which some jobs keep their places: what a planner decided stays decided.

use std::collections::HashSet;

use pfss_core::{JobId, Outcome, PermutationProblem, Rng, Run, SolveError, Solver, Time};
use rand::RngExt;

/// How many jobs are taken out and put back in one step (Ruiz and Stützle 2007 found four to be best).
const DESTRUCTION_SIZE: usize = 4;

/// Iterated greedy (Ruiz and Stützle 2007) over the jobs that are not pinned, for any problem: each step takes some of them out
/// and puts each back at the best of the free places. Prices are those of the plain definition.
///
/// It begins with the order that the run was given; jobs that are pinned keep their places in it.
#[derive(Clone, Debug)]
pub struct PinnedSearch {
    pinned: Vec<JobId>,
}

impl PinnedSearch {
    /// A search that leaves these jobs where they are.
    pub fn new(pinned: Vec<JobId>) -> Self {
        Self { pinned }
    }
}

impl<P: PermutationProblem> Solver<P> for PinnedSearch {
    fn name(&self) -> &str {
        "pinned-search"
    }

    fn solve(&self, problem: &P, run: &Run<'_, P::Cost>) -> Result<Outcome<P::Cost>, SolveError> {
        let order: Vec<JobId> = match run.start() {
            Some(start) if start.len() == problem.len() => start.to_vec(),
            Some(start) => {
                let (found, expected) = (start.len(), problem.len());
                let reason =
                    format!("the order to start from has {found} jobs, but the instance has {expected}");
                return Err(SolveError::Unsupported {
                    algorithm: Solver::<P>::name(self).to_string(),
                    reason,
                });
            }
            None => (0..problem.len() as JobId).collect(),
        };
        let mut search = Search::new(problem, run, &self.pinned, order);
        run.raise_bound(problem.lower_bound_during(run));
        search.improve();
        run.outcome()
    }
}

struct Search<'a, 'r, P: PermutationProblem> {
    problem: &'a P,
    run: &'a Run<'r, P::Cost>,
    /// The places of jobs that may move, in order.
    places: Vec<usize>,
    /// The jobs at these places.
    free: Vec<JobId>,
    /// The whole order; its pinned jobs never change.
    order: Vec<JobId>,
    rng: Rng,
}

impl<'a, 'r, P: PermutationProblem> Search<'a, 'r, P> {
    fn new(problem: &'a P, run: &'a Run<'r, P::Cost>, pinned: &[JobId], order: Vec<JobId>) -> Self {
        let pinned: HashSet<JobId> = pinned.iter().copied().collect();
        let places: Vec<usize> = (0..order.len()).filter(|&place| !pinned.contains(&order[place])).collect();
        let free = places.iter().map(|&place| order[place]).collect();
        let rng = run.stream("pinned-search");
        Self { problem, run, places, free, order, rng }
    }

    /// What the order costs with these jobs in the free places.
    fn price(&mut self, free: &[JobId]) -> P::Cost {
        for (&place, &job) in self.places.iter().zip(free) {
            self.order[place] = job;
        }
        self.run.count(1);
        self.problem.cost(&self.order)
    }

    fn offer(&mut self, free: &[JobId]) -> P::Cost {
        let cost = self.price(free);
        self.run.offer(&self.order, cost);
        cost
    }

    fn improve(&mut self) {
        let mut free = self.free.clone();
        let mut cost = self.offer(&free);
        if free.len() < 2 {
            return;
        }
        while !self.run.must_end() {
            let Some((candidate, found)) = self.step(&free) else { return };
            // A step that costs nothing more is taken, so that the search leaves plains.
            if found <= cost {
                (free, cost) = (candidate, found);
            }
        }
    }

    /// Takes some jobs out and puts them back; `None` when the run must end.
    fn step(&mut self, free: &[JobId]) -> Option<(Vec<JobId>, P::Cost)> {
        let mut kept = free.to_vec();
        let mut taken = Vec::new();
        for _ in 0..DESTRUCTION_SIZE.min(free.len() - 1) {
            taken.push(kept.remove(self.rng.random_range(0..kept.len())));
        }
        let mut cost = P::Cost::MAX;
        while let Some(job) = taken.pop() {
            // Jobs that are still out wait at the end, so that every order that is priced is complete.
            let mut best = (P::Cost::MAX, 0);
            for at in 0..=kept.len() {
                if self.run.stop().is_some() {
                    return None;
                }
                let mut whole = kept.clone();
                whole.insert(at, job);
                whole.extend(&taken);
                let price = self.price(&whole);
                if price < best.0 {
                    best = (price, at);
                }
                if taken.is_empty() {
                    self.run.offer(&self.order, price);
                }
            }
            kept.insert(best.1, job);
            cost = best.0;
        }
        Some((kept, cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Permutation, Seed, makespan};

    #[test]
    fn pinned_jobs_stay_and_the_rest_gets_better() {
        let instance = taillard_benchmark(1).unwrap();
        let start: Vec<JobId> = (0..20).collect();
        let limits = Limits { evaluations: Some(20_000), ..Limits::default() };
        let solve = |pinned: &[JobId]| {
            let start = Permutation::new(start.clone(), 20).unwrap();
            let run = Run::new(Seed::new(1), limits).with_start(start);
            PinnedSearch::new(pinned.to_vec()).solve(&instance, &run).unwrap()
        };
        let free = solve(&[]);
        let tied = solve(&[0, 7, 19]);
        assert!(free.cost < 1330 && free.cost <= tied.cost, "{} {}", free.cost, tied.cost);
        assert!(tied.cost < makespan(&instance, &start));
        for job in [0usize, 7, 19] {
            assert_eq!(tied.order[job], job as JobId);
        }
        let all: Vec<JobId> = (0..20).collect();
        assert_eq!(solve(&all).order.as_slice(), start);
    }

    #[test]
    fn the_best_of_few_orders_is_found() {
        let instance = pfss_core::Instance::from_job_rows("", &[[3u32, 4], [2, 1], [5, 2], [1, 6]]).unwrap();
        let start = Permutation::new(vec![2, 0, 1, 3], 4).unwrap();
        let limits = Limits { evaluations: Some(2000), ..Limits::default() };
        let run = Run::new(Seed::new(1), limits).with_start(start);
        let outcome = PinnedSearch::new(vec![2]).solve(&instance, &run).unwrap();
        let orders = [[0, 1, 3], [0, 3, 1], [1, 0, 3], [1, 3, 0], [3, 0, 1], [3, 1, 0]];
        let best = orders.map(|[a, b, c]| makespan(&instance, &[2, a, b, c])).into_iter().min();
        assert_eq!((outcome.order[0], Some(outcome.cost)), (2, best));
    }
}
