//! The root: good prices, a bound over all ways, and the few ways that a better tour may take.

use pfss_core::{JobId, Run};

use super::ascent::Steps;
use super::complete::CompleteTree;
use super::graph::Graph;
use super::search::Search;
use super::threshold::{certified, threshold};
use crate::{NeighbourLists, TspInstance};

/// How many nearest cities are joined in the first graph.
const NEIGHBOURS: usize = 8;
/// How often ways that the complete graph's 1-tree takes are added to the first graph.
const ROUNDS: usize = 8;
const FIRST: Steps = Steps { most: 300, first: 1.0, shrink: 0.7, patience: 5, last: 0.02 };
const NEXT: Steps = Steps { most: 60, first: 0.2, shrink: 0.7, patience: 4, last: 0.02 };

/// A gap above this share of the tour is more than cities at random have: on lines and in clusters prices must travel from
/// city to city, which takes many small steps.
const WIDE: f64 = 0.015;

/// Patient steps, for a wide gap.
fn patient(num_cities: usize) -> Steps {
    Steps { most: 30 * num_cities, first: 2.0, shrink: 0.5, patience: num_cities.max(20), last: 0.002 }
}

/// What the root leaves to be done.
pub(super) enum Root {
    /// No better tour is possible.
    Proven,
    /// The run ended.
    Ended,
    /// A better tour takes only these edges; the prices are the best ones.
    Open { edges: Vec<[JobId; 2]>, prices: Vec<f64> },
}

/// The special city: any gives the same best bound.
pub(super) const SPECIAL: JobId = 0;

/// Raises the run's bound as far as prices can. The run must have an order of at least four cities.
pub(super) fn solve_root(instance: &TspInstance, run: &Run<'_, f64>) -> Root {
    let Some((order, _)) = run.best() else { return Root::Ended };
    let num_cities = instance.num_cities();
    let lists = NeighbourLists::nearest(instance.points(), NEIGHBOURS);
    let mut edges: Vec<[JobId; 2]> = (0..num_cities as JobId)
        .flat_map(|city| lists.of(city).iter().map(move |&other| [city, other]))
        .collect();
    // With the best tour the graph is connected.
    edges.extend(order.iter().zip(order.iter().cycle().skip(1)).map(|(&a, &b)| [a, b]));
    let mut prices = start_prices(instance, &lists);
    let mut bounded = f64::NEG_INFINITY;
    let mut kept = None;
    let mut steps = FIRST;
    for _ in 0..ROUNDS {
        let graph = Graph::new(instance, edges.clone(), &prices);
        let mut search = Search::new(instance, run, &graph, SPECIAL, prices.clone());
        search.ascend(steps);
        let sparse_bound = search.best.bound;
        // Also a tour among these edges is only proven by a bound over all of them.
        let next = search.best.prices;
        let Some(tree) = CompleteTree::new(instance, &next, SPECIAL, run) else { return Root::Ended };
        run.raise_bound(certified(instance, tree.bound, tree.error).min(run.best_cost()));
        let gap = threshold(instance, run.best_cost()) - (tree.bound - tree.error);
        if gap <= 0.0 {
            return Root::Proven;
        }
        if tree.bound > bounded {
            bounded = tree.bound;
            kept = Some(tree.edges_within(gap));
        }
        let is_same = tree.bound >= sparse_bound - 1e-3 * gap;
        edges.extend(tree.edges_within(0.05 * gap));
        let is_wide = gap > WIDE * run.best_cost();
        prices = next;
        if (is_same && !is_wide) || run.stop().is_some() {
            break;
        }
        steps = if is_wide { patient(num_cities) } else { NEXT };
    }
    match kept {
        Some(edges) => Root::Open { edges, prices },
        None => Root::Ended,
    }
}

/// Prices to start with: cities far from the others are cheap, as their ways are long anyway.
fn start_prices(instance: &TspInstance, lists: &NeighbourLists) -> Vec<f64> {
    let share = |city: JobId| -> f64 {
        lists.of(city).iter().take(2).map(|&other| -0.25 * instance.distance(city, other)).sum()
    };
    (0..instance.num_cities() as JobId).map(share).collect()
}
