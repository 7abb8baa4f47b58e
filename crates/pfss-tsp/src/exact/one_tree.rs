//! The shortest 1-tree among the edges that are taken or free.

use pfss_core::JobId;

use super::graph::{EdgeId, Graph};
use super::state::{Edge, State};

/// A free edge, its reduced length, and the components of its ends that taken edges form. Sixteen bytes, as they
/// are sorted again and again.
#[derive(Clone, Copy)]
struct Item {
    length: f64,
    edge: EdgeId,
    components: [u16; 2],
}

/// Cities must fit into an [`Item`].
pub(super) const MOST_CITIES: usize = u16::MAX as usize;

/// Computes 1-trees under changing prices; all memory is kept from one to the next.
///
/// Kruskal's algorithm: the free edges stay sorted from one computation to the next, and small changes of the
/// prices leave little to sort. Taken edges are joined once per node.
pub(super) struct OneTree {
    special: JobId,
    /// The free edges away from the special city, as they were sorted last.
    sorted: Vec<Item>,
    /// The free edges at the special city.
    special_free: Vec<Item>,
    /// How many edges of the special city are taken.
    special_taken: usize,
    /// The components that taken edges form, the degrees and the length that they bring.
    base_parents: Vec<u16>,
    base_degrees: Vec<i32>,
    base_cost: f64,
    /// How many more edges make a spanning tree.
    missing: usize,
    parents: Vec<u16>,
    /// The degrees of the cities in the last 1-tree.
    pub(super) degrees: Vec<i32>,
    /// Its edges, without those that are taken.
    pub(super) chosen: Vec<EdgeId>,
}

#[inline]
fn find(parents: &mut [u16], mut city: u16) -> u16 {
    loop {
        let parent = parents[city as usize];
        if parent == city {
            return city;
        }
        let above = parents[parent as usize];
        parents[city as usize] = above;
        city = above;
    }
}

impl OneTree {
    pub(super) fn new(graph: &Graph, special: JobId) -> Self {
        let num_cities = graph.num_cities();
        Self {
            special,
            sorted: Vec::with_capacity(graph.num_edges()),
            special_free: Vec::new(),
            special_taken: 0,
            base_parents: vec![0; num_cities],
            base_degrees: vec![0; num_cities],
            base_cost: 0.0,
            missing: 0,
            parents: vec![0; num_cities],
            degrees: vec![0; num_cities],
            chosen: Vec::with_capacity(num_cities),
        }
    }

    pub(super) fn special(&self) -> JobId {
        self.special
    }

    /// Takes over the decisions of a node.
    pub(super) fn load(&mut self, state: &State<'_>) {
        let graph = state.graph;
        self.base_degrees.fill(0);
        self.base_cost = 0.0;
        self.special_taken = 0;
        self.special_free.clear();
        self.sorted.clear();
        for (parent, city) in self.base_parents.iter_mut().zip(0..) {
            *parent = city;
        }
        self.missing = graph.num_cities() - 2;
        for (edge, &[a, b]) in (0..).zip(&graph.ends) {
            let is_special = a == self.special || b == self.special;
            let item = Item { length: 0.0, edge, components: [a as u16, b as u16] };
            match state.edge(edge) {
                Edge::Out => {}
                Edge::Free if is_special => self.special_free.push(item),
                Edge::Free => self.sorted.push(item),
                Edge::In => {
                    self.base_degrees[a as usize] += 1;
                    self.base_degrees[b as usize] += 1;
                    self.base_cost += graph.costs[edge as usize];
                    if is_special {
                        self.special_taken += 1;
                    } else {
                        let (one, other) =
                            (find(&mut self.base_parents, a as u16), find(&mut self.base_parents, b as u16));
                        self.base_parents[one as usize] = other;
                        self.missing -= 1;
                    }
                }
            }
        }
        for item in &mut self.sorted {
            item.components = item.components.map(|city| find(&mut self.base_parents, city));
        }
    }

    /// The shortest 1-tree under these prices. Returns the bound that it gives, `None` when there is none.
    pub(super) fn compute(&mut self, graph: &Graph, prices: &[f64]) -> Option<f64> {
        for items in [&mut self.sorted, &mut self.special_free] {
            for item in items {
                let [a, b] = graph.ends[item.edge as usize];
                item.length = graph.costs[item.edge as usize] + (prices[a as usize] + prices[b as usize]);
            }
        }
        sort(&mut self.sorted);
        sort(&mut self.special_free);
        self.degrees.copy_from_slice(&self.base_degrees);
        self.parents.copy_from_slice(&self.base_parents);
        self.chosen.clear();
        let mut bound = self.base_cost;
        let mut missing = self.missing;
        for &Item { length, edge, components: [one, other] } in &self.sorted {
            if missing == 0 {
                break;
            }
            let (one, other) = (find(&mut self.parents, one), find(&mut self.parents, other));
            if one != other {
                self.parents[one as usize] = other;
                let [a, b] = graph.ends[edge as usize];
                self.degrees[a as usize] += 1;
                self.degrees[b as usize] += 1;
                self.chosen.push(edge);
                bound += length;
                missing -= 1;
            }
        }
        let wanted = 2usize.saturating_sub(self.special_taken);
        if missing > 0 || self.special_free.len() < wanted {
            return None;
        }
        for &Item { length, edge, .. } in &self.special_free[..wanted] {
            let [a, b] = graph.ends[edge as usize];
            self.degrees[a as usize] += 1;
            self.degrees[b as usize] += 1;
            self.chosen.push(edge);
            bound += length;
        }
        let priced =
            prices.iter().zip(&self.base_degrees).map(|(price, &degree)| price * f64::from(degree - 2));
        Some(bound + priced.sum::<f64>())
    }
}

/// Sorts edges that are almost sorted already by insertion; others in the usual way.
fn sort(items: &mut [Item]) {
    let mut budget = 16 * items.len();
    for index in 1..items.len() {
        let item = items[index];
        let mut place = index;
        while place > 0 && items[place - 1].length > item.length {
            items[place] = items[place - 1];
            place -= 1;
        }
        items[place] = item;
        budget = budget.saturating_sub(index - place);
        if budget == 0 {
            return items.sort_unstable_by(|a, b| a.length.total_cmp(&b.length).then(a.edge.cmp(&b.edge)));
        }
    }
}
