//! Iterated local search: small disturbances, repaired by 2-opt and Or-opt, taken back when the tour got longer.

use pfss_core::{JobId, Outcome, Rng, Run, SolveError, Solver};
use rand::RngExt;

use super::greedy::greedy_tour;
use super::local_search::LocalSearch;
use crate::{NeighbourLists, TspInstance, open, tour_length};

pfss_core::config! {
    /// Parameters of [`TspIteratedLocalSearch`].
    pub struct TspIteratedLocalSearchConfig {
        /// How many nearest cities a way may lead to.
        neighbours: usize = 8, in 2..=64;
        /// The longest of the two neighbouring paths that a disturbance swaps.
        kick: usize = 50, in 1..=1_000_000;
        /// How many disturbances; 0 for as many as the limits allow.
        iterations: u64 = 0, in 0..=1_000_000_000_000;
    }
}

/// Swaps two neighbouring short paths at a random place (a double bridge that stays local), improves the tour
/// around them by 2-opt and Or-opt, and takes everything back when the tour got longer. An iteration changes a
/// few places only, so its price hardly grows with the number of cities.
///
/// Martin, Otto, Felten, "Large-step Markov chains for the traveling salesman problem", Complex Systems 5
/// (1991); local disturbances by Johnson and McGeoch, "The traveling salesman problem: a case study" (1997).
/// One evaluation is one disturbance with its repair.
pub struct TspIteratedLocalSearch {
    config: TspIteratedLocalSearchConfig,
}

impl TspIteratedLocalSearch {
    /// The search with these parameters.
    pub fn new(config: TspIteratedLocalSearchConfig) -> Self {
        Self { config }
    }

    /// Searches until `must_end`, the limits of the run, or the configured number of disturbances end it.
    /// Everything that is found is offered to the run; its best order so far is where the search starts.
    pub fn search(&self, instance: &TspInstance, run: &Run<'_, f64>, must_end: &dyn Fn() -> bool) {
        let lists = NeighbourLists::nearest(instance.points(), self.config.neighbours);
        let (order, length) = run.best().unwrap_or_else(|| {
            let order = greedy_tour(instance, &lists);
            let length = tour_length(instance, &order);
            (order, length)
        });
        run.offer(&order, length);
        if instance.num_cities() <= 3 {
            // All orders are the same tour.
            run.raise_bound(length);
            return;
        }
        let must_end = || must_end() || run.must_end();
        let mut state =
            State { instance, run, search: LocalSearch::new(instance, &lists, order, length), gain: 0.0 };
        if state.descend(&must_end) {
            state.iterate(&self.config, &must_end);
        }
        state.offer();
    }
}

impl Solver<TspInstance> for TspIteratedLocalSearch {
    fn name(&self) -> &str {
        "iterated-local-search"
    }

    fn solve(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<Outcome<f64>, SolveError> {
        open(self.name(), instance, run)?;
        self.search(instance, run, &|| false);
        run.outcome()
    }
}

struct State<'s, 'r> {
    instance: &'s TspInstance,
    run: &'s Run<'r, f64>,
    search: LocalSearch<'s>,
    /// By how much the tour is shorter than the one that was offered last, up to rounding.
    gain: f64,
}

impl State<'_, '_> {
    /// The first local optimum. Returns whether the search may go on.
    fn descend(&mut self, must_end: &dyn Fn() -> bool) -> bool {
        // The clock is looked at after so many steps.
        const STEPS: usize = 256;
        let num_cities = self.search.tour.len() as JobId;
        (0..num_cities).rev().for_each(|city| self.search.wake(city));
        let mut steps = 0;
        while let Some(delta) = self.search.step() {
            self.gain -= delta;
            steps += 1;
            if steps % STEPS == 0 {
                self.search.tour.keep();
                if must_end() {
                    return false;
                }
            }
        }
        self.search.tour.keep();
        self.run.count(1);
        self.offer();
        true
    }

    fn iterate(&mut self, config: &TspIteratedLocalSearchConfig, must_end: &dyn Fn() -> bool) {
        let num_cities = self.search.tour.len();
        let longest = (num_cities / 4).clamp(1, config.kick);
        // Adding up a tour of many cities takes longer than an iteration, so not every gain is told at once.
        let patience = (num_cities / 128) as u64;
        let mut rng = self.run.stream("tsp-iterated-local-search");
        let mut offered_at = 0;
        let mut iteration = 0;
        while (config.iterations == 0 || iteration < config.iterations) && !must_end() {
            iteration += 1;
            let mut delta = self.kick(longest, &mut rng);
            while let Some(change) = self.search.step() {
                delta += change;
            }
            self.run.count(1);
            if delta <= 0.0 {
                self.search.tour.keep();
                self.gain -= delta;
                if self.gain > 0.0 && iteration - offered_at >= patience {
                    self.offer();
                    offered_at = iteration;
                }
            } else {
                self.search.tour.undo();
            }
        }
    }

    /// Swaps two neighbouring paths. Returns what that adds to the length.
    fn kick(&mut self, longest: usize, rng: &mut Rng) -> f64 {
        let num_cities = self.search.tour.len();
        let before = rng.random_range(0..num_cities);
        let first = rng.random_range(1..=longest);
        let second = rng.random_range(1..=longest);
        let place = |steps: usize| ((before + steps) % num_cities) as u32;
        let tour = &mut self.search.tour;
        let city = |steps: usize| tour.at((before + steps) % num_cities);
        let [p, a, b, c, d, n] =
            [city(0), city(1), city(first), city(first + 1), city(first + second), city(first + second + 1)];
        tour.reverse_places(place(1), place(first));
        tour.reverse_places(place(first + 1), place(first + second));
        tour.reverse_places(place(1), place(first + second));
        [p, a, b, c, d, n].into_iter().for_each(|city| self.search.wake(city));
        let way = |a: JobId, b: JobId| self.instance.distance(a, b);
        way(p, c) + way(d, a) + way(b, n) - way(p, a) - way(b, c) - way(d, n)
    }

    /// Offers the tour with its length by definition: the sum of all changes has drifted.
    fn offer(&mut self) {
        let order = self.search.tour.order();
        self.run.offer(order, tour_length(self.instance, order));
        self.gain = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;
    use pfss_core::{Limits, Permutation, Seed, Status};
    use proptest::prelude::*;

    fn solve(instance: &TspInstance, evaluations: u64) -> Outcome<f64> {
        let run = Run::new(Seed::new(1), Limits { evaluations: Some(evaluations), ..Limits::default() });
        let solver = TspIteratedLocalSearch::new(TspIteratedLocalSearchConfig::default());
        let outcome = solver.solve(instance, &run).unwrap();
        assert_eq!(outcome.cost, tour_length(instance, &outcome.order));
        outcome
    }

    #[test]
    fn it_comes_close_to_the_shortest_tour() {
        // Random tours through 200 cities of the unit square are about 0.7124 sqrt(200) (1 + 0.33 / 200) long.
        let instance = TspInstance::uniform(200, Seed::new(3), 0).unwrap();
        assert!(solve(&instance, 1).cost < 12.5);
        assert!(solve(&instance, 5000).cost < 11.0);
    }

    #[test]
    fn a_budget_gives_the_same_order_again() {
        let instance = TspInstance::uniform(300, Seed::new(3), 1).unwrap();
        let (one, other) = (solve(&instance, 2000), solve(&instance, 2000));
        assert_eq!((one.order, one.evaluations), (other.order, 2000));
    }

    #[test]
    fn tiny_instances_are_solved_at_once() {
        for num_cities in 1..=3 {
            let instance = TspInstance::uniform(num_cities, Seed::new(3), 0).unwrap();
            assert_eq!(solve(&instance, 10).status, Status::Optimal);
        }
    }

    proptest! {
        #[test]
        fn answers_are_tours(
            points in prop::collection::vec(prop::array::uniform2((0u8..9).prop_map(f64::from)), 1..60),
            is_rounded: bool,
        ) {
            let metric = if is_rounded { Metric::Rounded } else { Metric::Euclidean };
            let instance = TspInstance::new("", points, metric).unwrap();
            let outcome = solve(&instance, 200);
            let order = outcome.order.as_slice().to_vec();
            prop_assert!(Permutation::new(order, instance.num_cities()).is_ok());
            prop_assert!(outcome.bound <= outcome.cost);
        }
    }
}
