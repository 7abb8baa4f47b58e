//! Cities as a problem that policies learn: what a network sees of them, and in how many forms.

use pfss_core::{JobId, Rng};
use pfss_neural::{InputScale, LearnableProblem, PolicyInput, ProblemInstance, ProblemKind, StoredProblem};
use rand::RngExt;

use crate::{Metric, TspInstance};

/// The problem, as models name it.
pub const TOURS: ProblemKind = ProblemKind::new("tsp", "tours");

/// The tensor of cities in a file of labelled instances.
const POINTS: &str = "points";

/// How a file of labelled instances holds cities. It has no metric: ways are as long as they are.
pub const STORED_TOURS: StoredProblem = StoredProblem { tensor: POINTS, read: stored };

fn stored(width: usize, numbers: &[f64]) -> Result<ProblemInstance, String> {
    if width != 2 {
        return Err(format!("its cities have {width} coordinates, not two"));
    }
    match TspInstance::new("", numbers.as_chunks::<2>().0.to_vec(), Metric::Euclidean) {
        Ok(instance) => Ok(instance.into()),
        Err(error) => Err(error.to_string()),
    }
}

impl PolicyInput for TspInstance {
    fn kind(&self) -> ProblemKind {
        TOURS
    }

    fn len(&self) -> usize {
        self.num_cities()
    }

    fn width(&self) -> usize {
        2
    }

    /// The scale of a map says nothing about its best tour: all but raw ones are moved and shrunk into the unit square.
    fn rows(&self, scale: InputScale) -> Vec<f32> {
        let ([x, y], side) = match scale {
            InputScale::Raw => ([0.0, 0.0], 1.0),
            InputScale::Mean => corner_and_side(self),
        };
        let side = if side > 0.0 { side } else { 1.0 };
        self.points()
            .iter()
            .flat_map(|point| [(point[0] - x) / side, (point[1] - y) / side])
            .map(|x| x as f32)
            .collect()
    }
}

impl LearnableProblem for TspInstance {
    /// The constant of Beardwood, Halton and Hammersley for long tours through a unit square.
    fn typical_cost(&self) -> f64 {
        0.7124 * (self.num_cities() as f64).sqrt() * corner_and_side(self).1
    }

    fn numbers(&self) -> &[f64] {
        self.points().as_flattened()
    }

    fn tensor(&self) -> &'static str {
        POINTS
    }

    /// A tour is the same from each of its cities on and in both directions, and in a map that is mirrored.
    fn vary(&self, rows: &mut [f32], order: &mut [JobId], rng: &mut Rng) {
        order.rotate_left(rng.random_range(0..order.len()));
        if rng.random::<bool>() {
            order.reverse();
        }
        let swap = rng.random::<bool>();
        let flip = [rng.random::<bool>(), rng.random::<bool>()];
        let mut most = [0.0f32; 2];
        for point in rows.as_chunks::<2>().0 {
            most = [most[0].max(point[0]), most[1].max(point[1])];
        }
        for point in rows.as_chunks_mut::<2>().0 {
            for axis in 0..2 {
                if flip[axis] {
                    point[axis] = most[axis] - point[axis];
                }
            }
            if swap {
                point.swap(0, 1);
            }
        }
    }
}

/// The lower left corner of the smallest box around all cities, and its longer side.
fn corner_and_side(instance: &TspInstance) -> ([f64; 2], f64) {
    let range = |axis: usize| {
        let coordinates = instance.points().iter().map(|point| point[axis]);
        coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)))
    };
    let (x, y) = (range(0), range(1));
    ([x.0, y.0], (x.1 - x.0).max(y.1 - y.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tour_length;
    use pfss_core::{Instance, Permutation, Seed};
    use pfss_neural::{DatasetError, LabelledSet};
    use serde_json::Map;

    #[test]
    fn maps_are_moved_into_the_unit_square() {
        let points = vec![[-10.0, 5.0], [30.0, 5.0], [10.0, 25.0]];
        let map = TspInstance::new("", points, Metric::Rounded).unwrap();
        assert_eq!(map.rows(InputScale::Mean), [0.0, 0.0, 1.0, 0.0, 0.5, 0.5]);
        assert_eq!(map.rows(InputScale::Raw)[..2], [-10.0, 5.0]);
        let alone = TspInstance::new("", vec![[3.0, 4.0]; 2], Metric::Euclidean).unwrap();
        assert_eq!(alone.rows(InputScale::Mean), [0.0; 4]);
        assert_eq!(ProblemInstance::from(map).cost(&[0, 1, 2]), 40.0 + 28.0 + 28.0);
    }

    #[test]
    fn a_turned_map_has_the_same_tour() {
        let map = TspInstance::uniform(9, Seed::new(2), 0).unwrap();
        let length = tour_length(&map, &[0, 3, 1, 2, 4, 8, 7, 5, 6]);
        let mut rng = Seed::new(5).rng();
        for _ in 0..20 {
            let mut order = [0, 3, 1, 2, 4, 8, 7, 5, 6];
            let mut rows = map.rows(InputScale::Raw);
            map.vary(&mut rows, &mut order, &mut rng);
            let points = rows.as_chunks::<2>().0.iter().map(|point| point.map(f64::from)).collect();
            let turned = TspInstance::new("", points, Metric::Euclidean).unwrap();
            assert!((tour_length(&turned, &order) - length).abs() < 1e-5);
        }
    }

    #[test]
    fn tours_survive_their_file() {
        let city = |index| {
            let instance = TspInstance::uniform(5, Seed::new(1), index).unwrap();
            (instance.into(), Permutation::identity(5))
        };
        let set = LabelledSet::new((0..3).map(city).collect(), Map::new()).unwrap();
        let bytes = set.to_bytes().unwrap();
        let read = LabelledSet::read(&bytes, &[STORED_TOURS]).unwrap();
        assert_eq!((read.kind(), &read), (&TOURS, &set));
        assert!(matches!(LabelledSet::from_bytes(&bytes), Err(DatasetError::Foreign { .. })));
        let mixed =
            vec![city(1), (Instance::new("", 2, vec![1.0; 10]).unwrap().into(), Permutation::identity(5))];
        assert!(matches!(LabelledSet::new(mixed, Map::new()), Err(DatasetError::Size { index: 1 })));
        assert!(stored(3, &[0.0; 6]).is_err());
    }
}
