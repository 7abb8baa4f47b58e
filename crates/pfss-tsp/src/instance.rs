//! The travelling salesman in the plane: the second problem whose solutions are orders.

use pfss_core::{JobId, PermutationProblem, Run, Seed, SolveError};
use rand::RngExt;
use thiserror::Error;

use crate::neighbours::NeighbourLists;

/// How long the way between two points is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The Euclidean distance.
    Euclidean,
    /// The Euclidean distance, rounded to the nearest integer (`EUC_2D` of TSPLIB).
    Rounded,
}

/// Why points are not an instance.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TspError {
    /// There is no city.
    #[error("the instance has no cities; at least one is needed")]
    NoCities,
    /// A coordinate is infinite or not a number, or so large that a tour could not be added up.
    #[error("city {city} (counted from 0) lies at ({x}, {y}); coordinates must be numbers below 1e100")]
    InvalidPoint {
        /// The 0-based city.
        city: usize,
        /// Its first coordinate, as text.
        x: String,
        /// Its second coordinate, as text.
        y: String,
    },
    /// There are more cities than can be numbered.
    #[error("{found} cities are more than the {limit} that can be numbered")]
    TooManyCities {
        /// The number of cities.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The cities do not fit into memory.
    #[error("{num_cities} cities do not fit into memory; ask for fewer")]
    TooLarge {
        /// The number of cities.
        num_cities: usize,
    },
}

/// More cities cannot be numbered.
const MAX_CITIES: usize = JobId::MAX as usize;

/// Cities in the plane; the cost of an order is the length of the closed tour through them.
#[derive(Clone, Debug, PartialEq)]
pub struct TspInstance {
    name: String,
    points: Vec<[f64; 2]>,
    metric: Metric,
}

impl TspInstance {
    /// The instance with these cities.
    ///
    /// # Errors
    /// [`TspError`] when there is no city, or a coordinate is not a number that can be used.
    pub fn new(name: &str, points: Vec<[f64; 2]>, metric: Metric) -> Result<Self, TspError> {
        if points.is_empty() {
            return Err(TspError::NoCities);
        }
        check_count(points.len())?;
        let is_wrong = |coordinate: &f64| !coordinate.is_finite() || coordinate.abs() > 1e100;
        if let Some(city) = points.iter().position(|point| point.iter().any(is_wrong)) {
            let [x, y] = points[city].map(|coordinate| coordinate.to_string());
            return Err(TspError::InvalidPoint { city, x, y });
        }
        Ok(Self { name: name.to_string(), points, metric })
    }

    /// Instance `index` of a seed: cities drawn uniformly from the unit square.
    ///
    /// # Errors
    /// [`TspError`] when there is no city or too many.
    pub fn uniform(num_cities: usize, seed: Seed, index: u64) -> Result<Self, TspError> {
        check_count(num_cities)?;
        let mut rng = seed.nth(index).stream("cities");
        let mut points = Vec::new();
        points.try_reserve_exact(num_cities).map_err(|_| TspError::TooLarge { num_cities })?;
        points.extend((0..num_cities).map(|_| [rng.random::<f64>(), rng.random::<f64>()]));
        Self::new(&format!("uniform_{num_cities}_{index}"), points, Metric::Euclidean)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same cities under another name.
    #[must_use]
    pub fn with_name(self, name: &str) -> Self {
        Self { name: name.to_string(), ..self }
    }

    /// The number of cities.
    pub fn num_cities(&self) -> usize {
        self.points.len()
    }

    /// The coordinates of the cities.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// How ways are measured.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The length of the way between two cities.
    #[inline]
    pub fn distance(&self, from: JobId, to: JobId) -> f64 {
        let ([ax, ay], [bx, by]) = (self.points[from as usize], self.points[to as usize]);
        let distance = ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt();
        match self.metric {
            Metric::Euclidean => distance,
            Metric::Rounded => (distance + 0.5).floor(),
        }
    }
}

/// Fails where there are more cities than can be numbered.
fn check_count(found: usize) -> Result<(), TspError> {
    if found > MAX_CITIES { Err(TspError::TooManyCities { found, limit: MAX_CITIES }) } else { Ok(()) }
}

/// The length of the closed tour.
///
/// # Panics
/// Where a city does not exist.
pub fn tour_length(instance: &TspInstance, order: &[JobId]) -> f64 {
    let next = order.iter().cycle().skip(1);
    order.iter().zip(next).map(|(&from, &to)| instance.distance(from, to)).sum()
}

impl PermutationProblem for TspInstance {
    type Cost = f64;

    fn len(&self) -> usize {
        self.num_cities()
    }

    fn cost(&self, order: &[JobId]) -> f64 {
        tour_length(self, order)
    }

    /// Half the sum, over the cities, of the ways to the two nearest others: every city of a tour has two ways.
    /// Exact solvers prove far more.
    fn lower_bound(&self) -> f64 {
        match self.num_cities() {
            0 | 1 => return 0.0,
            2 => return 2.0 * self.distance(0, 1),
            _ => {}
        }
        let lists = NeighbourLists::nearest(&self.points, 2);
        let two_nearest =
            |city: JobId| -> f64 { lists.of(city).iter().map(|&other| self.distance(city, other)).sum() };
        // A hair less than the sum: rounding must not lift it above a tour that meets it.
        let sum: f64 = (0..self.num_cities() as JobId).map(two_nearest).sum();
        match self.metric {
            Metric::Euclidean => 0.5 * sum * (1.0 - 1e-12),
            Metric::Rounded => (0.5 * sum).ceil(),
        }
    }
}

/// What every solver of the problem does first: raises the lower bound and offers the order to start from.
///
/// # Errors
/// [`SolveError::Unsupported`] when the start order is not an order of this instance's cities.
pub fn open(algorithm: &str, instance: &TspInstance, run: &Run<'_, f64>) -> Result<(), SolveError> {
    if let Some(start) = run.start() {
        if start.len() != instance.num_cities() {
            return Err(SolveError::Unsupported {
                algorithm: algorithm.to_string(),
                reason: format!(
                    "the order to start from has {} cities, but the instance has {}",
                    start.len(),
                    instance.num_cities()
                ),
            });
        }
        run.count(1);
        run.offer(start, tour_length(instance, start));
    }
    run.raise_bound(instance.lower_bound());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{CheckError, check_order};

    #[test]
    fn a_square_is_walked_around() {
        let corners = vec![[0.0, 0.0], [3.0, 3.0], [0.0, 3.0], [3.0, 0.0]];
        let square = TspInstance::new("square", corners, Metric::Euclidean).unwrap();
        assert_eq!(square.cost(&[0, 2, 1, 3]), 12.0);
        assert!((square.cost(&[0, 1, 2, 3]) - (6.0 + 2.0 * 18f64.sqrt())).abs() < 1e-12);
        assert!((square.lower_bound() - 12.0).abs() < 1e-9 && square.lower_bound() <= 12.0);
        let rounded = TspInstance::new("square", square.points().to_vec(), Metric::Rounded).unwrap();
        assert_eq!(rounded.cost(&[0, 1, 2, 3]), 14.0);
        assert_eq!(rounded.lower_bound(), 12.0);
    }

    #[test]
    fn wrong_tours_are_found() {
        let corners = vec![[0.0, 0.0], [3.0, 3.0], [0.0, 3.0], [3.0, 0.0]];
        let square = TspInstance::new("square", corners, Metric::Euclidean).unwrap();
        assert_eq!(check_order(&square, &[0, 2, 1, 3], Some(12.0)), Ok(12.0));
        assert!(matches!(check_order(&square, &[0, 2, 1, 3], Some(11.0)), Err(CheckError::Cost { .. })));
        assert!(matches!(check_order(&square, &[0, 2, 1], None), Err(CheckError::Order(_))));
        assert!(matches!(check_order(&square, &[0, 2, 1, 4], None), Err(CheckError::Order(_))));
    }

    #[test]
    fn one_and_two_cities_have_a_tour() {
        let one = TspInstance::new("", vec![[1.0, 1.0]], Metric::Euclidean).unwrap();
        assert_eq!((one.cost(&[0]), one.lower_bound()), (0.0, 0.0));
        let two = TspInstance::new("", vec![[0.0, 0.0], [0.0, 2.0]], Metric::Euclidean).unwrap();
        assert_eq!((two.cost(&[1, 0]), two.lower_bound()), (4.0, 4.0));
    }

    #[test]
    fn more_cities_than_fit_are_an_error() {
        for num_cities in [usize::MAX, MAX_CITIES + 1] {
            let error = TspInstance::uniform(num_cities, Seed::new(1), 0).unwrap_err();
            assert_eq!(error, TspError::TooManyCities { found: num_cities, limit: MAX_CITIES });
        }
        assert_eq!(TspInstance::uniform(0, Seed::new(1), 0), Err(TspError::NoCities));
    }

    #[test]
    fn points_are_checked_and_drawn_from_the_unit_square() {
        assert_eq!(TspInstance::new("", vec![], Metric::Euclidean), Err(TspError::NoCities));
        let wrong = TspInstance::new("", vec![[0.0, 0.0], [f64::NAN, 1.0]], Metric::Euclidean);
        assert!(matches!(wrong, Err(TspError::InvalidPoint { city: 1, .. })));
        let drawn = TspInstance::uniform(50, Seed::new(1), 3).unwrap();
        assert_eq!(drawn, TspInstance::uniform(50, Seed::new(1), 3).unwrap());
        assert_ne!(drawn.points(), TspInstance::uniform(50, Seed::new(1), 4).unwrap().points());
        assert!(drawn.points().iter().flatten().all(|x| (0.0..1.0).contains(x)));
    }
}
