//! Depth-first branch and bound on the edges of a sparse graph.

use pfss_core::{JobId, Run};

use super::ascent::{Ascent, Best, Steps, ascend};
use super::filter::Filter;
use super::graph::{EdgeId, Graph};
use super::one_tree::OneTree;
use super::state::{Edge, State};
use super::threshold::threshold;
use crate::{TspInstance, tour_length};

/// As many decisions from one bound make another ascent worth its while.
const MANY: usize = 3;

/// Whether a part of the search was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Finished,
    /// The run ended before.
    Ended,
}

/// A search among the tours of a graph.
pub(super) struct Search<'s, 'r> {
    instance: &'s TspInstance,
    run: &'s Run<'r, f64>,
    pub(super) state: State<'s>,
    tree: OneTree,
    filter: Filter,
    pub(super) best: Best,
    /// The prices with which the nodes below start, one row per level.
    rows: Vec<f64>,
    prices: Vec<f64>,
}

/// The edges to branch on: two of one city, or one where that decides.
struct Branching {
    first: EdgeId,
    second: Option<EdgeId>,
}

impl<'s, 'r> Search<'s, 'r> {
    /// How an ascent goes on below the root.
    pub(super) const STEPS: Steps = Steps { most: 25, first: 1.0, shrink: 0.6, patience: 3, last: 0.05 };

    pub(super) fn new(
        instance: &'s TspInstance,
        run: &'s Run<'r, f64>,
        graph: &'s Graph,
        special: JobId,
        prices: Vec<f64>,
    ) -> Self {
        let num_cities = graph.num_cities();
        let best = Best {
            bound: f64::NEG_INFINITY,
            prices: prices.clone(),
            chosen: Vec::with_capacity(num_cities),
            degrees: vec![0; num_cities],
            directions: vec![0.0; num_cities],
        };
        Self {
            instance,
            run,
            state: State::new(graph),
            tree: OneTree::new(graph, special),
            filter: Filter::new(num_cities, graph.num_edges()),
            best,
            rows: Vec::new(),
            prices,
        }
    }

    fn threshold(&self) -> f64 {
        threshold(self.instance, self.run.best_cost())
    }

    /// Raises the bound of the node at hand. A tour is offered.
    pub(super) fn ascend(&mut self, steps: Steps) -> Ascent {
        self.tree.load(&self.state);
        let goals = (self.threshold(), self.run.best_cost());
        let (run, mut count) = (self.run, 0);
        let is_large = self.state.graph.num_cities() > 500;
        let mut must_end = || {
            count += 1;
            (is_large || count % 64 == 0) && run.stop().is_some()
        };
        let ascent = ascend(
            &mut self.tree,
            &self.state,
            &mut self.prices,
            &mut self.best,
            goals,
            steps,
            &mut must_end,
        );
        if ascent == Ascent::Tour {
            self.offer_tour();
        }
        ascent
    }

    /// Decides what follows from the best bound. Returns how many decisions that gave, `None` when the node is done.
    pub(super) fn filter(&mut self) -> Option<usize> {
        let threshold = self.threshold();
        let special = self.tree.special();
        self.filter.apply(&mut self.state, special, &self.best, threshold).ok()
    }

    /// Searches below the node at hand, whose decisions are in the state. The prices are those to start with.
    pub(super) fn node(&mut self, depth: usize, steps: Steps) -> Progress {
        self.run.count(1);
        if self.run.stop().is_some() {
            return Progress::Ended;
        }
        loop {
            if self.ascend(steps) != Ascent::Open {
                return Progress::Finished;
            }
            let Some(decisions) = self.filter() else { return Progress::Finished };
            self.prices.copy_from_slice(&self.best.prices);
            if decisions < MANY {
                break;
            }
        }
        // The last decisions may have changed the tree.
        let Some(branching) = self.branching() else { return self.again(depth) };
        let num_cities = self.prices.len();
        let row = depth * num_cities;
        if self.rows.len() < row + num_cities {
            self.rows.resize(row + num_cities, 0.0);
        }
        self.rows[row..row + num_cities].copy_from_slice(&self.best.prices);
        let Branching { first, second } = branching;
        let children: [&[(EdgeId, Edge)]; 3] = match second {
            Some(second) => [
                &[(first, Edge::In), (second, Edge::In)],
                &[(first, Edge::In), (second, Edge::Out)],
                &[(first, Edge::Out)],
            ],
            None => [&[(first, Edge::In)], &[(first, Edge::Out)], &[]],
        };
        for decisions in children.into_iter().filter(|decisions| !decisions.is_empty()) {
            let mark = self.state.mark();
            let is_possible =
                decisions.iter().all(|&(edge, decision)| self.state.decide(edge, decision).is_ok());
            let is_possible = self.state.propagate().is_ok() && is_possible;
            if is_possible {
                self.prices.copy_from_slice(&self.rows[row..row + num_cities]);
                if self.node(depth + 1, Self::STEPS) == Progress::Ended {
                    return Progress::Ended;
                }
            }
            self.state.undo(mark);
        }
        Progress::Finished
    }

    /// The tree has become one without branches by decisions that came after it: a new one is needed.
    fn again(&mut self, depth: usize) -> Progress {
        let graph = self.state.graph;
        match (0..graph.num_edges() as EdgeId).find(|&edge| self.state.is_free(edge)) {
            Some(_) => self.node(depth, Self::STEPS),
            None => Progress::Finished,
        }
    }

    /// Two edges of a city with more than two ways in the tree (Volgenant, Jonker 1982): those that cost most to
    /// leave out, at the city where that is least. There the tree can choose freely, and a decision binds it;
    /// measured, this takes a third fewer nodes than the city where it costs most.
    fn branching(&self) -> Option<Branching> {
        let graph = self.state.graph;
        let mut best: Option<(f64, Branching)> = None;
        for city in 0..graph.num_cities() as JobId {
            if self.best.degrees[city as usize] <= 2 {
                continue;
            }
            let [mut first, mut second] = [(f64::NEG_INFINITY, None); 2];
            for &edge in graph.at(city) {
                if self.state.is_free(edge) && self.filter.is_chosen(edge) {
                    let replacement = self.filter.replacement[edge as usize];
                    if replacement > first.0 {
                        (first, second) = ((replacement, Some(edge)), first);
                    } else if replacement > second.0 {
                        second = (replacement, Some(edge));
                    }
                }
            }
            let Some(first_edge) = first.1 else { continue };
            let second_edge = second.1.filter(|_| self.state.num_in(city) == 0);
            if best.as_ref().is_none_or(|(least, _)| first.0 < *least) {
                best = Some((first.0, Branching { first: first_edge, second: second_edge }));
            }
        }
        best.map(|(_, branching)| branching)
    }

    /// Offers the tour that the last 1-tree is.
    fn offer_tour(&mut self) {
        let graph = self.state.graph;
        let num_cities = graph.num_cities();
        let mut links = vec![[JobId::MAX; 2]; num_cities];
        let taken = (0..graph.num_edges() as EdgeId).filter(|&edge| self.state.edge(edge) == Edge::In);
        for edge in taken.chain(self.best.chosen.iter().copied()) {
            let [a, b] = graph.ends[edge as usize];
            for (city, other) in [(a, b), (b, a)] {
                let links = &mut links[city as usize];
                links[usize::from(links[0] != JobId::MAX)] = other;
            }
        }
        let mut order = Vec::with_capacity(num_cities);
        let (mut before, mut city) = (JobId::MAX, 0);
        for _ in 0..num_cities {
            order.push(city);
            let [one, other] = links[city as usize];
            (before, city) = (city, if one == before { other } else { one });
        }
        self.run.offer(&order, tour_length(self.instance, &order));
    }
}
