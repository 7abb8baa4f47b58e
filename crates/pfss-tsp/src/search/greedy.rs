//! Greedy tours: the shortest ways first.

use pfss_core::JobId;

use crate::{NeighbourLists, TspInstance};

const NOBODY: JobId = JobId::MAX;

/// Joins cities by ever longer ways of the neighbour lists that neither branch nor close, then joins the
/// paths that are left, always to the nearest free end.
///
/// Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4 (1992).
pub(super) fn greedy_tour(instance: &TspInstance, lists: &NeighbourLists) -> Vec<JobId> {
    let num_cities = instance.num_cities();
    let mut ways = Vec::with_capacity(num_cities * 8);
    for city in 0..num_cities as JobId {
        // Of two cities in each other's lists, the first one brings the way.
        let others = lists.of(city).iter().filter(|&&other| city < other || !lists.of(other).contains(&city));
        ways.extend(others.map(|&other| (instance.distance(city, other), city, other)));
    }
    ways.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut paths = Paths { links: vec![[NOBODY; 2]; num_cities], ends: (0..num_cities as JobId).collect() };
    for (_, a, b) in ways {
        if paths.can_join(a, b) {
            paths.join(a, b);
        }
    }
    paths.into_tour(instance)
}

/// Paths through the cities, at first one for each city.
struct Paths {
    links: Vec<[JobId; 2]>,
    /// For the end of a path, its other end.
    ends: Vec<JobId>,
}

impl Paths {
    fn can_join(&self, a: JobId, b: JobId) -> bool {
        let is_end = |city: JobId| self.links[city as usize][1] == NOBODY;
        is_end(a) && is_end(b) && self.ends[a as usize] != b && a != b
    }

    fn join(&mut self, a: JobId, b: JobId) {
        for (city, other) in [(a, b), (b, a)] {
            let links = &mut self.links[city as usize];
            links[usize::from(links[0] != NOBODY)] = other;
        }
        let (first, last) = (self.ends[a as usize], self.ends[b as usize]);
        self.ends[first as usize] = last;
        self.ends[last as usize] = first;
    }

    /// Walks the paths one after the other, each entered at the end nearest to where the last one was left.
    fn into_tour(self, instance: &TspInstance) -> Vec<JobId> {
        let num_cities = self.links.len();
        let mut free: Vec<JobId> =
            (0..num_cities as JobId).filter(|&city| self.links[city as usize][1] == NOBODY).collect();
        let mut order = Vec::with_capacity(num_cities);
        let mut entry = free.first().copied().unwrap_or(0);
        loop {
            self.walk(entry, &mut order);
            let exit = self.ends[entry as usize];
            free.retain(|&end| end != entry && end != exit);
            let distance = |end: JobId| instance.distance(exit, end);
            match free.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b))) {
                Some(nearest) => entry = nearest,
                None => return order,
            }
        }
    }

    /// Appends the path that begins at `entry`.
    fn walk(&self, entry: JobId, order: &mut Vec<JobId>) {
        let (mut before, mut city) = (NOBODY, entry);
        loop {
            order.push(city);
            let [one, other] = self.links[city as usize];
            // The first link may lead back; at the ends the second one is missing.
            let next = if one == before { other } else { one };
            if next == NOBODY {
                return;
            }
            (before, city) = (city, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, tour_length};
    use pfss_core::{Permutation, Seed};

    #[test]
    fn every_city_is_visited_once() {
        for num_cities in [1, 2, 3, 4, 5, 10, 1000] {
            let instance = TspInstance::uniform(num_cities, Seed::new(2), 0).unwrap();
            let order = greedy_tour(&instance, &NeighbourLists::nearest(instance.points(), 8));
            assert!(Permutation::new(order.clone(), num_cities).is_ok());
            if num_cities == 1000 {
                assert!((23.0..30.0).contains(&tour_length(&instance, &order)));
            }
        }
        let instance = TspInstance::new("", vec![[1.0, 1.0]; 50], Metric::Euclidean).unwrap();
        let order = greedy_tour(&instance, &NeighbourLists::nearest(instance.points(), 8));
        assert!(Permutation::new(order, 50).is_ok());
    }
}
