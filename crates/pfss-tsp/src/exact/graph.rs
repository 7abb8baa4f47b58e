//! The ways that a better tour may take.

use std::cmp::Ordering;

use pfss_core::JobId;

use crate::TspInstance;

/// The number of a way.
pub(super) type EdgeId = u32;

/// A graph with few edges, as arrays.
pub(super) struct Graph {
    pub(super) ends: Vec<[JobId; 2]>,
    pub(super) costs: Vec<f64>,
    /// Where the edges of a city start in `incident`.
    starts: Vec<u32>,
    incident: Vec<EdgeId>,
}

/// A length to sort by.
#[derive(PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Graph {
    /// The graph with these edges; one that is named twice is there once. They are numbered by their lengths under
    /// the prices, so that little has to be sorted when lengths under similar prices are.
    pub(super) fn new(instance: &TspInstance, mut ends: Vec<[JobId; 2]>, prices: &[f64]) -> Self {
        for edge in &mut ends {
            edge.sort_unstable();
        }
        ends.sort_unstable();
        ends.dedup();
        let reduced =
            |&[a, b]: &[JobId; 2]| instance.distance(a, b) + prices[a as usize] + prices[b as usize];
        ends.sort_by_cached_key(|edge| Key(reduced(edge)));
        let costs = ends.iter().map(|&[a, b]| instance.distance(a, b)).collect();
        let mut starts = vec![0; instance.num_cities() + 1];
        for &[a, b] in &ends {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for city in 0..instance.num_cities() {
            starts[city + 1] += starts[city];
        }
        let mut next = starts.clone();
        let mut incident = vec![0; 2 * ends.len()];
        for (edge, cities) in ends.iter().enumerate() {
            for &city in cities {
                incident[next[city as usize] as usize] = edge as EdgeId;
                next[city as usize] += 1;
            }
        }
        Self { ends, costs, starts, incident }
    }

    pub(super) fn num_cities(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn num_edges(&self) -> usize {
        self.ends.len()
    }

    /// The edges at a city.
    #[inline]
    pub(super) fn at(&self, city: JobId) -> &[EdgeId] {
        &self.incident[self.starts[city as usize] as usize..self.starts[city as usize + 1] as usize]
    }

    /// The city at the other end of an edge.
    #[inline]
    pub(super) fn other(&self, edge: EdgeId, city: JobId) -> JobId {
        let [a, b] = self.ends[edge as usize];
        if a == city { b } else { a }
    }

    /// The edge between two cities, where there is one.
    pub(super) fn between(&self, a: JobId, b: JobId) -> Option<EdgeId> {
        self.at(a).iter().copied().find(|&edge| self.other(edge, a) == b)
    }
}
