//! Branch and bound.

use pfss_core::{JobId, Outcome, Run, SolveError, Solver};

use super::ascent::{Ascent, Steps};
use super::graph::Graph;
use super::one_tree;
use super::root::{Root, SPECIAL, solve_root};
use super::search::{Progress, Search};
use crate::{TspInstance, open, tour_length};

/// More cities than this are too many for a graph of all ways that a better tour might take.
const MOST_CITIES: usize = 5000;
/// How the ascent goes on in the graph that the root has left.
const STEPS: Steps = Steps { most: 100, first: 0.3, shrink: 0.7, patience: 5, last: 0.02 };

pfss_core::config! {
    /// Parameters of [`TspBranchAndBound`]: none.
    pub struct TspBranchAndBoundConfig {}
}

/// Branch and bound with the 1-tree bound of Held and Karp: edges that no better tour can take are left out at
/// the root and at every node, and branching decides on edges of a city with more than two ways in the 1-tree.
///
/// It starts from the run's best order and is fast when that is good: run a local search first. One evaluation is
/// one node. Tours of real length are proven up to one part in a billion.
pub struct TspBranchAndBound;

impl TspBranchAndBound {
    /// The solver.
    pub fn new(_: TspBranchAndBoundConfig) -> Self {
        Self
    }

    /// Searches until the run's best order is proven or the run must end.
    ///
    /// # Errors
    /// [`SolveError::Unsupported`] for too many cities.
    pub fn prove(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<(), SolveError> {
        if instance.num_cities() > MOST_CITIES {
            return Err(SolveError::Unsupported {
                algorithm: self.name().to_string(),
                reason: format!(
                    "{} cities are too many; at most {MOST_CITIES} are accepted, use iterated-local-search",
                    instance.num_cities()
                ),
            });
        }
        if run.best().is_none() {
            let order = nearest_neighbour_tour(instance);
            run.offer(&order, tour_length(instance, &order));
        }
        // Cities at one point have a tour of length 0, which no gap is left to.
        if instance.num_cities() <= 3 || run.is_optimal() || is_proven(instance, run) {
            run.raise_bound(run.best_cost());
        }
        Ok(())
    }

    /// Raises the run's bound to that of Held and Karp, without branching. Takes time in the square of the number of
    /// cities; more than 65,535 are left as they are.
    pub fn raise_root_bound(&self, instance: &TspInstance, run: &Run<'_, f64>) {
        if (4..=one_tree::MOST_CITIES).contains(&instance.num_cities())
            && matches!(solve_root(instance, run), Root::Proven)
        {
            run.raise_bound(run.best_cost());
        }
    }
}

impl Solver<TspInstance> for TspBranchAndBound {
    fn name(&self) -> &str {
        "branch-and-bound"
    }

    fn solve(&self, instance: &TspInstance, run: &Run<'_, f64>) -> Result<Outcome<f64>, SolveError> {
        open(self.name(), instance, run)?;
        self.prove(instance, run)?;
        run.outcome()
    }
}

/// Searches all tours; returns whether none is better than the run's best one.
fn is_proven(instance: &TspInstance, run: &Run<'_, f64>) -> bool {
    let (edges, prices) = match solve_root(instance, run) {
        Root::Proven => return true,
        Root::Ended => return false,
        Root::Open { edges, prices } => (edges, prices),
    };
    let graph = Graph::new(instance, edges, &prices);
    let mut search = Search::new(instance, run, &graph, SPECIAL, prices);
    // What is left of the graph after a longer ascent and its consequences makes a smaller one.
    if search.state.propagate().is_err() || search.ascend(STEPS) != Ascent::Open || search.filter().is_none()
    {
        return true;
    }
    let left = search.state.left();
    let prices = search.best.prices;
    let graph = Graph::new(instance, left, &prices);
    let mut search = Search::new(instance, run, &graph, SPECIAL, prices);
    search.state.propagate().is_err() || search.node(0, Search::STEPS) == Progress::Finished
}

fn nearest_neighbour_tour(instance: &TspInstance) -> Vec<JobId> {
    let mut left: Vec<JobId> = (1..instance.num_cities() as JobId).collect();
    let mut order = vec![0];
    let mut city = 0;
    while !left.is_empty() {
        let distance = |index: &usize| instance.distance(city, left[*index]);
        let nearest = (0..left.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
        city = left.swap_remove(nearest);
        order.push(city);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::super::dynamic_program::held_karp_dynamic_program;
    use super::*;
    use crate::Metric;
    use pfss_core::{Limits, Seed, Status};
    use proptest::prelude::*;
    use std::time::Duration;

    fn solve(instance: &TspInstance, limits: Limits<f64>) -> Outcome<f64> {
        let solver = TspBranchAndBound::new(TspBranchAndBoundConfig::default());
        let outcome = solver.solve(instance, &Run::new(Seed::new(1), limits)).unwrap();
        assert_eq!(outcome.cost, tour_length(instance, &outcome.order));
        assert!(outcome.bound <= outcome.cost);
        outcome
    }

    fn check(points: Vec<[f64; 2]>, metric: Metric) {
        let instance = TspInstance::new("", points, metric).unwrap();
        let outcome = solve(&instance, Limits::default());
        let (_, length) = held_karp_dynamic_program(&instance).unwrap();
        assert!((outcome.cost - length).abs() <= 2e-9 * length, "{} {length} {instance:?}", outcome.cost);
        assert_eq!(outcome.status, Status::Optimal);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn it_equals_the_dynamic_program(
            points in prop::collection::vec(prop::array::uniform2(0.0f64..1.0), 1..=10),
        ) {
            let large = points.iter().map(|&[x, y]| [1000.0 * x, 1000.0 * y]).collect();
            check(points, Metric::Euclidean);
            check(large, Metric::Rounded);
        }

        #[test]
        fn it_equals_the_dynamic_program_on_grids_lines_and_heaps(
            points in prop::collection::vec(prop::array::uniform2((0u8..4).prop_map(f64::from)), 1..=10),
        ) {
            let line = points.iter().map(|&[x, y]| [x + 4.0 * y, 2.0 * x + 8.0 * y]).collect();
            check(line, Metric::Euclidean);
            check(points.clone(), Metric::Rounded);
            check(points, Metric::Euclidean);
        }
    }

    #[test]
    fn bounds_are_valid_where_many_tours_are_equally_long() {
        // Proofs may take for ever here; the bounds on the way must be right.
        let limits = || Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let heaps: Vec<[f64; 2]> = (0..60).map(|city| [f64::from(city % 3), f64::from(city % 2)]).collect();
        let line: Vec<[f64; 2]> = (0..60).map(|city| [f64::from(city * 7 % 60), 0.0]).collect();
        for metric in [Metric::Euclidean, Metric::Rounded] {
            for (points, shortest) in [(&heaps, 6.0), (&line, 118.0)] {
                let instance = TspInstance::new("", points.clone(), metric).unwrap();
                let outcome = solve(&instance, limits());
                assert!(outcome.bound <= shortest && shortest <= outcome.cost);
            }
            let instance = TspInstance::new("", vec![[1.0, 2.0]; 60], metric).unwrap();
            assert_eq!(solve(&instance, Limits::default()).status, Status::Optimal);
        }
    }

    #[test]
    fn a_limit_leaves_a_valid_bound() {
        let instance = TspInstance::uniform(150, Seed::new(4), 0).unwrap();
        let outcome = solve(&instance, Limits { evaluations: Some(1), ..Limits::default() });
        assert!(outcome.bound > 0.9 * 0.7124 * 150f64.sqrt() && outcome.bound < outcome.cost);
        let outcome = solve(&instance, Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert!(matches!(outcome.status, Status::Feasible(_)));
        let large = TspInstance::uniform(MOST_CITIES + 1, Seed::new(4), 0).unwrap();
        let solver = TspBranchAndBound::new(TspBranchAndBoundConfig::default());
        assert!(solver.solve(&large, &Run::new(Seed::new(1), Limits::default())).is_err());
    }
}
