//! The dynamic program over sets of cities, to check everything else with.

use pfss_core::JobId;

use crate::TspInstance;

/// More cities than this would take too much memory.
pub const MOST_CITIES: usize = 12;

/// The shortest tour and its length; `None` for more than [`MOST_CITIES`] cities.
///
/// Held, Karp, "A dynamic programming approach to sequencing problems", Journal of SIAM 10 (1962).
pub fn held_karp_dynamic_program(instance: &TspInstance) -> Option<(Vec<JobId>, f64)> {
    let n = instance.num_cities();
    if n > MOST_CITIES {
        return None;
    }
    // The last city is where tours start and end; sets are those of the others.
    let others = n - 1;
    let home = others as JobId;
    if others == 0 {
        return Some((vec![0], 0.0));
    }
    let sets = 1usize << others;
    // The shortest path from home through a set to one of its cities, and the city before.
    let mut lengths = vec![f64::INFINITY; sets * others];
    let mut before = vec![0; sets * others];
    for set in 1..sets {
        for last in (0..others).filter(|last| set >> last & 1 == 1) {
            let rest = set & !(1 << last);
            let (length, previous) = if rest == 0 {
                (instance.distance(home, last as JobId), last)
            } else {
                let through = |city: usize| {
                    lengths[rest * others + city] + instance.distance(city as JobId, last as JobId)
                };
                let cities = (0..others).filter(|city| rest >> city & 1 == 1);
                cities.map(|city| (through(city), city)).min_by(|a, b| a.0.total_cmp(&b.0))?
            };
            lengths[set * others + last] = length;
            before[set * others + last] = previous;
        }
    }
    let mut set = sets - 1;
    let closed = |last: usize| lengths[set * others + last] + instance.distance(last as JobId, home);
    let (length, mut last) =
        (0..others).map(|last| (closed(last), last)).min_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut order = vec![home];
    while set != 0 {
        order.push(last as JobId);
        let previous = before[set * others + last];
        set &= !(1 << last);
        last = previous;
    }
    Some((order, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, tour_length};
    use pfss_core::{Permutation, Seed};

    #[test]
    fn it_walks_around_a_circle() {
        let angle = |city: usize| ((city * 5) % 11) as f64 / 11.0 * std::f64::consts::TAU;
        let points = (0..11).map(|city| [angle(city).cos(), angle(city).sin()]).collect();
        let instance = TspInstance::new("", points, Metric::Euclidean).unwrap();
        let (order, length) = held_karp_dynamic_program(&instance).unwrap();
        assert!((length - 22.0 * (std::f64::consts::PI / 11.0).sin()).abs() < 1e-12);
        assert!(Permutation::new(order, 11).is_ok());
    }

    #[test]
    fn lengths_are_those_of_the_orders() {
        for num_cities in 1..=9 {
            let instance = TspInstance::uniform(num_cities, Seed::new(5), 0).unwrap();
            let (order, length) = held_karp_dynamic_program(&instance).unwrap();
            assert!((tour_length(&instance, &order) - length).abs() < 1e-12);
        }
        assert!(held_karp_dynamic_program(&TspInstance::uniform(13, Seed::new(5), 0).unwrap()).is_none());
    }
}
