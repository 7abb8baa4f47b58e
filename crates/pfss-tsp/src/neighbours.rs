//! The nearest other cities of every city.

use pfss_core::JobId;

/// Fewer cities than this are looked through one by one.
const BUCKET: usize = 8;

/// The nearest other cities of every city, nearest first, equal distances by number.
///
/// Found with a k-d tree (Friedman, Bentley, Finkel 1977), so that a hundred thousand cities take a moment,
/// however they lie. Of more equally near cities than fit, any may be in the list; always the same ones.
#[derive(Clone, Debug)]
pub struct NeighbourLists {
    length: usize,
    cities: Vec<JobId>,
}

impl NeighbourLists {
    /// The lists of the `length` nearest cities; of all others where there are not as many.
    pub fn nearest(points: &[[f64; 2]], length: usize) -> Self {
        let num_cities = points.len();
        let length = length.min(num_cities.saturating_sub(1));
        let tree = Tree::new(points);
        let mut cities = Vec::with_capacity(length * num_cities);
        let mut found = Vec::with_capacity(length + 1);
        for city in 0..num_cities as JobId {
            found.clear();
            if length > 0 {
                let query = Query { tree: &tree, city, point: points[city as usize], length };
                query.visit(0, num_cities, &mut found);
            }
            cities.extend(found.iter().map(|&(_, other)| other));
        }
        Self { length, cities }
    }

    /// The nearest other cities of `city`.
    #[inline]
    pub fn of(&self, city: JobId) -> &[JobId] {
        let start = city as usize * self.length;
        &self.cities[start..start + self.length]
    }
}

/// Cities halved again and again at the median of the wider extent. The node of a range of cities is the one
/// in its middle.
struct Tree {
    cities: Vec<JobId>,
    points: Vec<[f64; 2]>,
    /// Along which coordinate the range with this middle is cut.
    axes: Vec<u8>,
}

impl Tree {
    fn new(points: &[[f64; 2]]) -> Self {
        let mut cities: Vec<JobId> = (0..points.len() as JobId).collect();
        let mut axes = vec![0; points.len()];
        let mut ranges = vec![(0, points.len())];
        while let Some((start, end)) = ranges.pop() {
            if end - start <= BUCKET {
                continue;
            }
            let middle = usize::midpoint(start, end);
            let axis = wider_axis(points, &cities[start..end]);
            let key = |city: &JobId| points[*city as usize][usize::from(axis)];
            cities[start..end]
                .select_nth_unstable_by(middle - start, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
            axes[middle] = axis;
            ranges.extend([(start, middle), (middle + 1, end)]);
        }
        let points = cities.iter().map(|&city| points[city as usize]).collect();
        Self { cities, points, axes }
    }
}

fn wider_axis(points: &[[f64; 2]], cities: &[JobId]) -> u8 {
    let extent = |axis: usize| {
        let coordinates = cities.iter().map(|&city| points[city as usize][axis]);
        let (low, high) =
            coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    u8::from(extent(1) > extent(0))
}

struct Query<'t> {
    tree: &'t Tree,
    city: JobId,
    point: [f64; 2],
    length: usize,
}

impl Query<'_> {
    /// Adds the cities of a range that belong to the nearest ones.
    fn visit(&self, start: usize, end: usize, found: &mut Vec<(f64, JobId)>) {
        if end - start <= BUCKET {
            for place in start..end {
                self.consider(place, found);
            }
            return;
        }
        let middle = usize::midpoint(start, end);
        let axis = usize::from(self.tree.axes[middle]);
        let ahead = self.point[axis] - self.tree.points[middle][axis];
        let (near, far) = ((start, middle), (middle + 1, end));
        let (near, far) = if ahead <= 0.0 { (near, far) } else { (far, near) };
        self.visit(near.0, near.1, found);
        self.consider(middle, found);
        // Not `>`: a thousand cities at one point must not all be looked at.
        let is_hopeless = found.len() == self.length && ahead * ahead >= found[self.length - 1].0;
        if !is_hopeless {
            self.visit(far.0, far.1, found);
        }
    }

    fn consider(&self, place: usize, found: &mut Vec<(f64, JobId)>) {
        let other = self.tree.cities[place];
        if other == self.city {
            return;
        }
        let [x, y] = self.tree.points[place];
        let square = (x - self.point[0]) * (x - self.point[0]) + (y - self.point[1]) * (y - self.point[1]);
        let is_before = |&(distance, city): &(f64, JobId)| (distance, city) < (square, other);
        if found.len() == self.length {
            if found.last().is_some_and(is_before) {
                return;
            }
            found.pop();
        }
        let rank = found.iter().rposition(is_before).map_or(0, |before| before + 1);
        found.insert(rank, (square, other));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, TspInstance};
    use pfss_core::Seed;

    #[test]
    fn lists_are_those_of_a_search_through_all() {
        for (num_cities, length) in [(1, 5), (2, 5), (9, 3), (40, 39), (500, 10)] {
            let instance = TspInstance::uniform(num_cities, Seed::new(7), 0).unwrap();
            let lists = NeighbourLists::nearest(instance.points(), length);
            for city in 0..num_cities as JobId {
                let mut others: Vec<JobId> =
                    (0..num_cities as JobId).filter(|&other| other != city).collect();
                others.sort_by(|&a, &b| instance.distance(city, a).total_cmp(&instance.distance(city, b)));
                others.truncate(length);
                assert_eq!(lists.of(city), others);
            }
        }
    }

    #[test]
    fn many_cities_at_one_point_take_no_time() {
        let points = (0..100_000).map(|city| [f64::from(city / 50_000), 0.0]).collect();
        let instance = TspInstance::new("", points, Metric::Euclidean).unwrap();
        let lists = NeighbourLists::nearest(instance.points(), 8);
        assert!((0..100_000).all(|city| {
            let others = lists.of(city);
            others.len() == 8 && others.iter().all(|&other| instance.distance(city, other) == 0.0)
        }));
    }
}
