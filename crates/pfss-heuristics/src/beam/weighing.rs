//! What idle time and bounds weigh: by machine, end and depth.

use pfss_core::Time;
use pfss_core::tree::{Element, End, Score};

/// How a guide weighs idle time and bounds. A pair is what holds at the root, and what is added on the way to the leaves.
///
/// Idle time on a machine weighs `u^a exp(b x + c x²)`, one on average, where `u` is the machine's urgency and `x` its place, from -1 for the
/// first that jobs meet at this end to 1 for the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighing {
    /// The power `a` of the urgency.
    pub urgency: [f32; 2],
    /// The slope `b` over the machines.
    pub slope: [f32; 2],
    /// The curve `c` over the machines.
    pub curve: [f32; 2],
    /// The bound counts the share of placed jobs to this power.
    pub bound_power: f32,
    /// The product of bound and idle time counts the share of open jobs to this power,
    pub idle_power: f32,
    /// times this,
    pub idle_scale: f32,
    /// and this much more.
    pub idle_floor: f32,
}

impl Weighing {
    /// How many numbers there are.
    pub const LEN: usize = 10;

    /// The guide `walpha` as made by hand.
    pub const WALPHA: Self = Self {
        urgency: [1.0, 0.0],
        slope: [0.0; 2],
        curve: [0.0; 2],
        bound_power: 1.0,
        idle_power: 1.0,
        idle_scale: 1.0,
        idle_floor: 0.0,
    };

    /// All numbers: what holds at the root, what is added, and the rest.
    pub fn to_array(self) -> [f32; Self::LEN] {
        let Self { urgency, slope, curve, bound_power, idle_power, idle_scale, idle_floor } = self;
        let [root, added] = [0, 1].map(|part| [urgency[part], slope[part], curve[part]]);
        let mut numbers = [0.0; Self::LEN];
        numbers[..3].copy_from_slice(&root);
        numbers[3..6].copy_from_slice(&added);
        numbers[6..].copy_from_slice(&[bound_power, idle_power, idle_scale, idle_floor]);
        numbers
    }

    /// Made of the numbers that [`Weighing::to_array`] gives. Powers, scale and floor are not below zero.
    pub fn from_array(numbers: [f32; Self::LEN]) -> Self {
        let pair = |place: usize| [numbers[place], numbers[place + 3]];
        let [.., bound_power, idle_power, idle_scale, idle_floor] = numbers.map(|number| number.max(0.0));
        Self {
            urgency: pair(0),
            slope: pair(1),
            curve: pair(2),
            bound_power,
            idle_power,
            idle_scale,
            idle_floor,
        }
    }

    /// Whether machines weigh the same at every depth.
    pub(super) fn is_constant(&self) -> bool {
        [self.urgency, self.slope, self.curve].iter().all(|pair| pair[1] == 0.0)
    }

    /// How children are scored when this share of the jobs is placed.
    pub(super) fn score(&self, done: f32) -> Score {
        // Most often the powers are one.
        let power = |base: f32, power: f32| if power == 1.0 { base } else { base.powf(power) };
        Score::Blend {
            bound: power(done, self.bound_power),
            idle: 0.0,
            product: self.idle_scale * power(1.0 - done, self.idle_power) + self.idle_floor,
        }
    }

    /// What idle time weighs on each machine at one end when this share of the jobs is placed. Single precision hides how processors and
    /// systems differ in the last bits of powers.
    pub(super) fn weights(&self, urgencies: &[f64], end: End, done: f64) -> impl Iterator<Item = f32> {
        let last = urgencies.len().saturating_sub(1).max(1) as f64;
        let [power, slope, curve] = [self.urgency, self.slope, self.curve]
            .map(|[root, added]| f64::from(root) + f64::from(added) * done);
        let weight = move |(machine, &urgency): (usize, &f64)| {
            let place = 2.0 * machine as f64 / last - 1.0;
            let place = if end == End::Front { place } else { -place };
            urgency.powf(power) * (place * (slope + curve * place)).exp()
        };
        let mean = urgencies.iter().enumerate().map(weight).sum::<f64>() / urgencies.len() as f64;
        urgencies.iter().enumerate().map(move |each| (weight(each) / mean) as f32)
    }
}

/// Idle time counts more on machines that can afford little of it: those whose work alone comes close to
/// the best known cost. One on average, and all one while no order is known.
pub(super) fn urgencies<T: Time, E: Element>(upper: T, totals: &[E]) -> Vec<f64> {
    if upper == T::MAX {
        return vec![1.0; totals.len()];
    }
    let urgency = |work: &E| {
        let slack = upper.to_f64() - work.to_time::<T>().to_f64();
        1.0 / slack.max(upper.to_f64() * 1e-4).max(f64::MIN_POSITIVE)
    };
    let urgencies: Vec<f64> = totals.iter().map(urgency).collect();
    let mean = urgencies.iter().sum::<f64>() / urgencies.len() as f64;
    urgencies.into_iter().map(|urgency| urgency / mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(weighing: &Weighing, urgencies: &[f64], end: End, done: f64) -> Vec<f32> {
        weighing.weights(urgencies, end, done).collect()
    }

    #[test]
    fn numbers_survive_the_way_through_an_array() {
        let numbers = [2.0, -0.5, 0.25, 0.125, 0.5, -0.75, 1.5, 0.5, 0.375, 0.0625];
        let weighing = Weighing::from_array(numbers);
        assert_eq!(weighing.to_array(), numbers);
        assert_eq!((weighing.slope, weighing.idle_floor), ([-0.5, 0.5], 0.0625));
        assert_eq!(Weighing::from_array(Weighing::WALPHA.to_array()), Weighing::WALPHA);
        // What would make scores senseless is not below zero.
        assert_eq!(Weighing::from_array([-1.0; 10]).to_array()[5..], [-1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn as_made_by_hand_machines_weigh_what_they_are_urgent() {
        let urgencies = urgencies(100u32, &[90u32, 80, 0]);
        // 1/10, 1/20 and 1/100, divided by their mean.
        let expected = [30.0 / 16.0, 15.0 / 16.0, 3.0 / 16.0];
        for end in End::BOTH {
            for (weight, expected) in
                weights(&Weighing::WALPHA, &urgencies, end, 0.3).into_iter().zip(expected)
            {
                assert!((weight - expected).abs() < 1e-6, "{weight} {expected}");
            }
        }
        assert!(Weighing::WALPHA.is_constant());
        assert_eq!(super::urgencies(u32::MAX, &[90u32, 80]), [1.0, 1.0]);
        assert_eq!(Weighing::WALPHA.score(0.25), Score::Blend { bound: 0.25, idle: 0.0, product: 0.75 });
    }

    #[test]
    fn places_are_counted_from_where_jobs_enter_and_change_with_the_depth() {
        let weighing = Weighing { slope: [0.5, 1.0], ..Weighing::WALPHA };
        assert!(!weighing.is_constant());
        let front = weights(&weighing, &[1.0; 4], End::Front, 0.5);
        let mut back = weights(&weighing, &[1.0; 4], End::Back, 0.5);
        back.reverse();
        assert_eq!(front, back);
        assert!((f64::from(front[3] / front[0]) - f64::exp(2.0)).abs() < 1e-5, "{front:?}");
        assert!((front.iter().sum::<f32>() - 4.0).abs() < 1e-5);
        // One machine has one place.
        assert_eq!(weights(&weighing, &[1.0], End::Back, 0.5), [1.0]);
    }
}
