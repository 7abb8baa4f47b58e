//! 2-opt and Or-opt with neighbour lists.

use pfss_core::JobId;

use super::tour::Tour;
use crate::{NeighbourLists, TspInstance};

/// The longest path that Or-opt moves.
const LONGEST: usize = 3;

/// A tour, what is known about the cities, and which cities are still worth a look.
///
/// Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4 (1992):
/// neighbour lists, and cities that are looked at again only after one of their ways has changed.
pub(super) struct LocalSearch<'i> {
    instance: &'i TspInstance,
    lists: &'i NeighbourLists,
    pub(super) tour: Tour,
    /// Cities to look at, the last one first.
    waiting: Vec<JobId>,
    is_waiting: Vec<bool>,
    /// A change smaller than this is noise of the summation.
    least: f64,
}

/// A change of the tour: what it adds to the length, and the exchanges that make it.
struct Change {
    delta: f64,
    exchanges: [[JobId; 4]; 3],
    count: usize,
}

impl<'i> LocalSearch<'i> {
    pub(super) fn new(
        instance: &'i TspInstance,
        lists: &'i NeighbourLists,
        order: Vec<JobId>,
        length: f64,
    ) -> Self {
        let num_cities = order.len();
        let least = -1e-12 * length;
        Self {
            instance,
            lists,
            tour: Tour::new(order),
            waiting: Vec::new(),
            is_waiting: vec![false; num_cities],
            least,
        }
    }

    /// Has a city looked at.
    #[inline]
    pub(super) fn wake(&mut self, city: JobId) {
        if !self.is_waiting[city as usize] {
            self.is_waiting[city as usize] = true;
            self.waiting.push(city);
        }
    }

    /// Improves the tour around one waiting city. Returns what that adds to the length, `None` when no city
    /// waits any more.
    #[inline]
    pub(super) fn step(&mut self) -> Option<f64> {
        let city = self.waiting.pop()?;
        self.is_waiting[city as usize] = false;
        let Some(change) = self.improvement(city) else { return Some(0.0) };
        for exchange in &change.exchanges[..change.count] {
            self.tour.exchange(*exchange);
            exchange.iter().for_each(|&city| self.wake(city));
        }
        Some(change.delta)
    }

    #[inline]
    fn distance(&self, a: JobId, b: JobId) -> f64 {
        self.instance.distance(a, b)
    }

    /// The neighbour of a city along the tour or against it.
    #[inline]
    fn step_from(&self, city: JobId, is_forward: bool) -> JobId {
        if is_forward { self.tour.next(city) } else { self.tour.previous(city) }
    }

    fn improvement(&self, city: JobId) -> Option<Change> {
        for is_forward in [true, false] {
            if let Some(change) = self.two_opt(city, is_forward).or_else(|| self.or_opt(city, is_forward)) {
                return Some(change);
            }
        }
        None
    }

    /// Replaces the way from `a` to its successor `b` by a way to a nearer city.
    fn two_opt(&self, a: JobId, is_forward: bool) -> Option<Change> {
        let b = self.step_from(a, is_forward);
        let old = self.distance(a, b);
        for &c in self.lists.of(a) {
            let new = self.distance(a, c);
            if new >= old {
                return None;
            }
            let d = self.step_from(c, is_forward);
            let delta = new + self.distance(b, d) - old - self.distance(c, d);
            if delta < self.least {
                return Some(Change { delta, exchanges: [[a, b, c, d], [0; 4], [0; 4]], count: 1 });
            }
        }
        None
    }

    /// Moves a path of up to three cities that ends in `a` next to a city near `a`. In the direction in
    /// question the tour reads `p, s ... a, n`, and the path `s ... a` goes between `c` and a neighbour `o` of
    /// it, with `a` beside `c`.
    fn or_opt(&self, a: JobId, is_forward: bool) -> Option<Change> {
        let n = self.step_from(a, is_forward);
        let mut path = [a; LONGEST];
        let mut s = a;
        for length in 1..=LONGEST.min(self.tour.len().saturating_sub(3)) {
            if length > 1 {
                s = self.step_from(s, !is_forward);
            }
            path[length - 1] = s;
            let p = self.step_from(s, !is_forward);
            let gain = self.distance(p, s) + self.distance(a, n) - self.distance(p, n);
            for &c in self.lists.of(a) {
                let joined = self.distance(a, c);
                if joined >= gain {
                    break;
                }
                if path[..length].contains(&c) {
                    continue;
                }
                for keeps_direction in [false, true] {
                    let o = self.step_from(c, keeps_direction != is_forward);
                    // Next to the path itself there is nothing to move.
                    if (c == p && !keeps_direction) || (c == n && keeps_direction) {
                        continue;
                    }
                    let delta = joined + self.distance(s, o) - self.distance(c, o) - gain;
                    if delta < self.least {
                        return Some(moved(delta, [p, s, a, n, c, o], keeps_direction));
                    }
                }
            }
        }
        None
    }
}

/// Moves the path `s ... a` between `c` and `o` as two exchanges, or as three where it keeps its direction: where
/// the tour reads `p, s ... a, n, ..., o, c`, the path is turned around first.
fn moved(delta: f64, [p, s, a, n, c, o]: [JobId; 6], keeps_direction: bool) -> Change {
    if keeps_direction {
        Change { delta, exchanges: [[p, s, a, n], [p, a, o, c], [p, o, n, s]], count: 3 }
    } else {
        Change { delta, exchanges: [[p, s, c, o], [p, c, n, a], [0; 4]], count: 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, tour_length};
    use proptest::prelude::*;

    fn points() -> impl Strategy<Value = Vec<[f64; 2]>> {
        // A small grid: many equal points and equal distances.
        let any = prop::array::uniform2(0.0f64..100.0);
        let grid = prop::array::uniform2((0u8..6).prop_map(f64::from));
        prop_oneof![prop::collection::vec(any, 4..40), prop::collection::vec(grid, 4..40)]
    }

    proptest! {
        #[test]
        fn every_change_costs_what_it_says(points in points(), is_rounded: bool) {
            let metric = if is_rounded { Metric::Rounded } else { Metric::Euclidean };
            let num_cities = points.len();
            let instance = TspInstance::new("", points, metric).unwrap();
            let lists = NeighbourLists::nearest(instance.points(), 8);
            let order: Vec<JobId> = (0..num_cities as JobId).collect();
            let mut length = tour_length(&instance, &order);
            let mut search = LocalSearch::new(&instance, &lists, order, length);
            (0..num_cities as JobId).for_each(|city| search.wake(city));
            while let Some(delta) = search.step() {
                let now = tour_length(&instance, search.tour.order());
                prop_assert!((now - length - delta).abs() < 1e-9, "{now} {length} {delta}");
                length = now;
            }
        }
    }
}
