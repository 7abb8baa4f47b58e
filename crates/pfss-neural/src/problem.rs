//! The problems that a policy can be trained for, and what it sees of them.

use pfss_core::tsp::{TspInstance, tour_length};
use pfss_core::{Instance, JobId, Time, makespan, one_machine_bound};
use serde::{Deserialize, Serialize};

use crate::InputScale;

/// A problem that policies can be trained for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// Jobs through a line of machines, for a short makespan.
    #[default]
    FlowShop,
    /// Cities of a plane, for a short closed tour.
    Tsp,
}

impl ProblemKind {
    /// The problem's name in sentences.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FlowShop => "flow shops",
            Self::Tsp => "tours",
        }
    }
}

/// What a policy can look at: a row of numbers for each job or city.
pub trait PolicyInput {
    /// The problem.
    fn kind(&self) -> ProblemKind;

    /// How many jobs or cities there are.
    fn len(&self) -> usize;

    /// Whether there is nothing to order.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers stand for each: the machines, or two coordinates.
    fn width(&self) -> usize;

    /// The numbers, row after row.
    fn rows(&self, scale: InputScale) -> Vec<f32>;
}

impl<T: Time> PolicyInput for Instance<T> {
    fn kind(&self) -> ProblemKind {
        ProblemKind::FlowShop
    }

    fn len(&self) -> usize {
        self.num_jobs()
    }

    fn width(&self) -> usize {
        self.num_machines()
    }

    fn rows(&self, scale: InputScale) -> Vec<f32> {
        let mean = match scale {
            InputScale::Raw => 1.0,
            InputScale::Mean => self.mean_time(),
        };
        // Where all times are zero every order is the same.
        let mean = if mean > 0.0 { mean } else { 1.0 };
        self.times().iter().map(|time| (time.to_f64() / mean) as f32).collect()
    }
}

impl PolicyInput for TspInstance {
    fn kind(&self) -> ProblemKind {
        ProblemKind::Tsp
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

/// The lower left corner of the smallest box around all cities, and its longer side.
fn corner_and_side(instance: &TspInstance) -> ([f64; 2], f64) {
    let range = |axis: usize| {
        let coordinates = instance.points().iter().map(|point| point[axis]);
        coordinates.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)))
    };
    let (x, y) = (range(0), range(1));
    ([x.0, y.0], (x.1 - x.0).max(y.1 - y.0))
}

/// An instance of any problem that policies are trained for.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemInstance {
    /// A flow shop.
    FlowShop(Instance<f64>),
    /// Cities.
    Tsp(TspInstance),
}

impl ProblemInstance {
    /// The makespan of an order, or the length of its tour.
    pub fn cost(&self, order: &[JobId]) -> f64 {
        match self {
            Self::FlowShop(instance) => makespan(instance, order),
            Self::Tsp(instance) => tour_length(instance, order),
        }
    }

    /// About what a good order costs, whatever the size: costs divided by it can be compared between instances.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(crate) fn typical_cost(&self) -> f64 {
        let cost = match self {
            Self::FlowShop(instance) => one_machine_bound(instance),
            // The constant of Beardwood, Halton and Hammersley for long tours through a unit square.
            Self::Tsp(instance) => {
                0.7124 * (instance.num_cities() as f64).sqrt() * corner_and_side(instance).1
            }
        };
        if cost > 0.0 { cost } else { 1.0 }
    }
}

impl PolicyInput for ProblemInstance {
    fn kind(&self) -> ProblemKind {
        match self {
            Self::FlowShop(_) => ProblemKind::FlowShop,
            Self::Tsp(_) => ProblemKind::Tsp,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::FlowShop(instance) => instance.num_jobs(),
            Self::Tsp(instance) => instance.num_cities(),
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::FlowShop(instance) => instance.num_machines(),
            Self::Tsp(_) => 2,
        }
    }

    fn rows(&self, scale: InputScale) -> Vec<f32> {
        match self {
            Self::FlowShop(instance) => instance.rows(scale),
            Self::Tsp(instance) => instance.rows(scale),
        }
    }
}

impl From<Instance<f64>> for ProblemInstance {
    fn from(instance: Instance<f64>) -> Self {
        Self::FlowShop(instance)
    }
}

impl From<TspInstance> for ProblemInstance {
    fn from(instance: TspInstance) -> Self {
        Self::Tsp(instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::tsp::Metric;

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
    fn times_are_divided_by_their_mean() {
        let shop = Instance::new("", 2, vec![1u32, 3, 2, 2]).unwrap();
        assert_eq!(shop.rows(InputScale::Mean), [0.5, 1.5, 1.0, 1.0]);
        assert_eq!((PolicyInput::len(&shop), shop.width()), (2, 2));
    }
}
