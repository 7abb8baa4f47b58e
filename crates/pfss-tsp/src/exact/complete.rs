//! The shortest 1-tree among all ways, and the ways that a better tour may take.

use pfss_core::{JobId, Run};

use crate::TspInstance;

/// The shortest 1-tree of the complete graph under prices.
pub(super) struct CompleteTree<'i> {
    instance: &'i TspInstance,
    prices: &'i [f64],
    special: JobId,
    /// Its edges with their reduced lengths, without those of the special city.
    edges: Vec<(f64, [JobId; 2])>,
    /// The two edges of the special city, the shorter one first.
    ways: [(f64, JobId); 2],
    /// The bound: its reduced length less twice the prices.
    pub(super) bound: f64,
    /// By how much rounding may have raised the bound.
    pub(super) error: f64,
}

/// The reduced length of a way.
#[inline]
fn reduced(instance: &TspInstance, prices: &[f64], a: JobId, b: JobId) -> f64 {
    instance.distance(a, b) + (prices[a as usize] + prices[b as usize])
}

impl<'i> CompleteTree<'i> {
    /// By Prim's algorithm, in time quadratic in the number of cities, of which there must be at least three;
    /// `None` when the run must stop before.
    pub(super) fn new(
        instance: &'i TspInstance,
        prices: &'i [f64],
        special: JobId,
        run: &Run<'_, f64>,
    ) -> Option<Self> {
        let num_cities = instance.num_cities();
        let edges = spanning_tree(instance, prices, special, run)?;
        let others = (0..num_cities as JobId).filter(|&other| other != special);
        let mut ways = [(f64::INFINITY, 0); 2];
        for other in others {
            let way = (reduced(instance, prices, special, other), other);
            if way.0 < ways[0].0 {
                ways = [way, ways[0]];
            } else if way.0 < ways[1].0 {
                ways[1] = way;
            }
        }
        let lengths = || edges.iter().map(|&(length, _)| length).chain(ways.map(|(length, _)| length));
        let bound = lengths().sum::<f64>() - 2.0 * prices.iter().sum::<f64>();
        let magnitude =
            lengths().map(f64::abs).sum::<f64>() + 2.0 * prices.iter().map(|price| price.abs()).sum::<f64>();
        let error = 4e-16 * num_cities as f64 * magnitude;
        Some(Self { instance, prices, special, edges, ways, bound, error })
    }

    /// All ways that a 1-tree with at most `gap` more than this one may take. Putting a way into the tree
    /// pushes out the longest one between its ends.
    pub(super) fn edges_within(&self, gap: f64) -> Vec<[JobId; 2]> {
        let (instance, prices, special) = (self.instance, self.prices, self.special);
        let num_cities = instance.num_cities();
        let mut kept = Vec::with_capacity(4 * num_cities);
        let mut sorted = self.edges.clone();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // The way that joins two components is the longest one between any of their cities.
        let mut component: Vec<u32> = (0..num_cities as u32).collect();
        let mut members: Vec<Vec<JobId>> = (0..num_cities as JobId).map(|city| vec![city]).collect();
        for (longest, [a, b]) in sorted {
            let (mut into, mut from) = (component[a as usize], component[b as usize]);
            if members[into as usize].len() < members[from as usize].len() {
                (into, from) = (from, into);
            }
            let moving = std::mem::take(&mut members[from as usize]);
            for &one in &moving {
                let near = members[into as usize].iter().copied();
                let near = near.filter(|&other| reduced(instance, prices, one, other) - longest <= gap);
                kept.extend(near.map(|other| [one, other]));
                component[one as usize] = into;
            }
            members[into as usize].extend(moving);
        }
        let others = (0..num_cities as JobId).filter(|&other| other != special);
        let near = others.filter(|&other| reduced(instance, prices, special, other) - self.ways[1].0 <= gap);
        kept.extend(near.map(|other| [special, other]));
        kept
    }
}

fn spanning_tree(
    instance: &TspInstance,
    prices: &[f64],
    special: JobId,
    run: &Run<'_, f64>,
) -> Option<Vec<(f64, [JobId; 2])>> {
    let mut outside: Vec<JobId> =
        (0..instance.num_cities() as JobId).filter(|&city| city != special).collect();
    let mut city = outside.pop()?;
    let mut nearest = vec![(f64::INFINITY, 0); outside.len()];
    let mut edges = Vec::with_capacity(outside.len());
    while !outside.is_empty() {
        if edges.len() % 256 == 255 && run.stop().is_some() {
            return None;
        }
        let (mut best, mut least) = (0, f64::INFINITY);
        for (index, (&other, entry)) in outside.iter().zip(&mut nearest).enumerate() {
            let length = reduced(instance, prices, city, other);
            if length < entry.0 {
                *entry = (length, city);
            }
            if entry.0 < least {
                (best, least) = (index, entry.0);
            }
        }
        let (length, inside) = nearest.swap_remove(best);
        city = outside.swap_remove(best);
        edges.push((length, [inside, city]));
    }
    Some(edges)
}
