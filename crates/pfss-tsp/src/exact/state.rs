//! Which edges a tour must take, may take and must not take, with everything that follows and a way back.

use pfss_core::JobId;

use super::graph::{EdgeId, Graph};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Free,
    /// Every tour in question takes it.
    In,
    /// No tour in question takes it.
    Out,
}

/// No better tour obeys the decisions.
#[derive(Debug)]
pub(super) struct Infeasible;

/// The decisions so far. Changes are written down in a trail, so that a node needs no copy.
pub(super) struct State<'g> {
    pub(super) graph: &'g Graph,
    edges: Vec<Edge>,
    num_in: Vec<u32>,
    num_free: Vec<u32>,
    /// For the end of a path of taken edges, its other end.
    path_ends: Vec<JobId>,
    num_taken: usize,
    trail: Vec<EdgeId>,
    /// Cities whose edges changed.
    waiting: Vec<JobId>,
    /// Ends of paths that have grown.
    joined: Vec<(JobId, JobId)>,
}

impl<'g> State<'g> {
    /// Everything is free.
    pub(super) fn new(graph: &'g Graph) -> Self {
        let num_cities = graph.num_cities();
        Self {
            graph,
            edges: vec![Edge::Free; graph.num_edges()],
            num_in: vec![0; num_cities],
            num_free: (0..num_cities as JobId).map(|city| graph.at(city).len() as u32).collect(),
            path_ends: (0..num_cities as JobId).collect(),
            num_taken: 0,
            trail: Vec::new(),
            waiting: (0..num_cities as JobId).collect(),
            joined: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn edge(&self, edge: EdgeId) -> Edge {
        self.edges[edge as usize]
    }

    #[inline]
    pub(super) fn is_free(&self, edge: EdgeId) -> bool {
        self.edges[edge as usize] == Edge::Free
    }

    /// How many edges at a city are taken.
    #[inline]
    pub(super) fn num_in(&self, city: JobId) -> u32 {
        self.num_in[city as usize]
    }

    /// The edges that a tour may or must take.
    pub(super) fn left(&self) -> Vec<[JobId; 2]> {
        let is_left = |(&ends, &edge): (&[JobId; 2], &Edge)| (edge != Edge::Out).then_some(ends);
        self.graph.ends.iter().zip(&self.edges).filter_map(is_left).collect()
    }

    /// Where [`State::undo`] comes back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes a free edge, or leaves it out. What follows is found by [`State::propagate`].
    pub(super) fn decide(&mut self, edge: EdgeId, decision: Edge) -> Result<(), Infeasible> {
        debug_assert!(self.is_free(edge) && decision != Edge::Free);
        let [a, b] = self.graph.ends[edge as usize];
        if decision == Edge::In {
            let (first, last) = (self.path_ends[a as usize], self.path_ends[b as usize]);
            let closes = first == b;
            if self.num_in(a) == 2
                || self.num_in(b) == 2
                || (closes && self.num_taken + 1 < self.graph.num_cities())
            {
                return Err(Infeasible);
            }
            if !closes {
                self.path_ends[first as usize] = last;
                self.path_ends[last as usize] = first;
                self.joined.push((first, last));
            }
            self.num_taken += 1;
            self.num_in[a as usize] += 1;
            self.num_in[b as usize] += 1;
        }
        self.num_free[a as usize] -= 1;
        self.num_free[b as usize] -= 1;
        self.edges[edge as usize] = decision;
        self.trail.push(edge);
        self.waiting.extend([a, b]);
        Ok(())
    }

    /// Draws the conclusions: a city with two taken edges has no other, one with two edges left has both, and
    /// a path of taken edges does not close before it has all cities.
    pub(super) fn propagate(&mut self) -> Result<(), Infeasible> {
        let result = self.conclude();
        self.waiting.clear();
        self.joined.clear();
        result
    }

    fn conclude(&mut self) -> Result<(), Infeasible> {
        while let Some(city) = self.waiting.pop() {
            let (taken, free) = (self.num_in[city as usize], self.num_free[city as usize]);
            if taken > 2 || taken + free < 2 {
                return Err(Infeasible);
            }
            if free > 0 && (taken == 2 || taken + free == 2) {
                let decision = if taken == 2 { Edge::Out } else { Edge::In };
                let graph = self.graph;
                for &edge in graph.at(city) {
                    if self.is_free(edge) {
                        self.decide(edge, decision)?;
                    }
                }
            }
            while let Some((one, other)) = self.joined.pop() {
                self.separate(one, other)?;
            }
        }
        Ok(())
    }

    /// Leaves out the edge between the ends of a path.
    fn separate(&mut self, one: JobId, other: JobId) -> Result<(), Infeasible> {
        // They may be no ends any more; the last edge of a tour is the one that closes it.
        let are_ends =
            self.path_ends[one as usize] == other && self.num_in(one) == 1 && self.num_in(other) == 1;
        if !are_ends || self.num_taken + 1 >= self.graph.num_cities() {
            return Ok(());
        }
        match self.graph.between(one, other) {
            Some(edge) if self.is_free(edge) => self.decide(edge, Edge::Out),
            _ => Ok(()),
        }
    }

    /// Takes all decisions since [`State::mark`] back.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(edge) = self.trail.pop() else { return };
            let [a, b] = self.graph.ends[edge as usize];
            self.num_free[a as usize] += 1;
            self.num_free[b as usize] += 1;
            if self.edges[edge as usize] == Edge::In {
                // A city within a path keeps the end that it had before it got there.
                let end = |city: JobId| {
                    if self.num_in(city) == 1 { city } else { self.path_ends[city as usize] }
                };
                let (first, last) = (end(a), end(b));
                self.path_ends[first as usize] = a;
                self.path_ends[last as usize] = b;
                self.num_taken -= 1;
                self.num_in[a as usize] -= 1;
                self.num_in[b as usize] -= 1;
            }
            self.edges[edge as usize] = Edge::Free;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TspInstance;
    use pfss_core::Seed;

    fn complete(num_cities: JobId) -> Graph {
        let instance = TspInstance::uniform(num_cities as usize, Seed::new(1), 0).unwrap();
        let ends = (0..num_cities).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        Graph::new(&instance, ends, &vec![0.0; num_cities as usize])
    }

    #[test]
    fn paths_stay_open_and_everything_can_be_taken_back() {
        let graph = complete(5);
        let mut state = State::new(&graph);
        state.propagate().unwrap();
        let edge = |a, b| graph.between(a, b).unwrap();
        let before = (state.edges.clone(), state.path_ends.clone(), state.num_free.clone());
        let mark = state.mark();
        for (a, b) in [(0, 1), (2, 3)] {
            state.decide(edge(a, b), Edge::In).unwrap();
            state.propagate().unwrap();
        }
        state.decide(edge(1, 2), Edge::In).unwrap();
        state.propagate().unwrap();
        // The path 0 1 2 3 may not close without 4, so both of its ends lead there.
        assert_eq!(state.edge(edge(0, 3)), Edge::Out);
        assert_eq!((state.edge(edge(0, 4)), state.edge(edge(3, 4))), (Edge::In, Edge::In));
        assert_eq!(state.num_taken, 5);
        state.undo(mark);
        assert_eq!((state.edges.clone(), state.path_ends.clone(), state.num_free.clone()), before);
        assert_eq!((state.num_taken, state.num_in.iter().sum::<u32>()), (0, 0));
    }

    #[test]
    fn a_city_needs_two_edges() {
        let graph = complete(4);
        let mut state = State::new(&graph);
        for other in [1, 2] {
            state.decide(graph.between(0, other).unwrap(), Edge::Out).unwrap();
        }
        assert!(state.propagate().is_err());
    }
}
