//! Path relinking: the orders between two orders, and the cheapest way through them.
//!
//! Glover, Laguna and Marti, "Fundamentals of scatter search and path relinking", Control and Cybernetics 29 (2000); for flow shops
//! Reeves and Yamada, Evolutionary Computation 6 (1998).

use pfss_core::{JobId, MovePricer, Time};

/// An order about halfway between two, and how many moves were priced. Each step moves one job so that fewer pairs of jobs stand
/// otherwise than in `other`; of all such moves it is one that costs least.
pub(super) fn halfway<T: Time>(
    one: &[JobId],
    other: &[JobId],
    moves: &mut MovePricer,
) -> (Vec<JobId>, usize) {
    let mut places = vec![0; other.len()];
    for (place, &job) in other.iter().enumerate() {
        places[job as usize] = place;
    }
    let mut order = one.to_vec();
    let whole = distance(&order, &places);
    let (mut left, mut priced) = (whole, 0);
    while 2 * left > whole {
        let Some(Step { position, place, nearer, .. }) = best_step::<T>(&order, &places, moves) else {
            break;
        };
        priced += order.len() * order.len();
        let job = order.remove(position);
        order.insert(place, job);
        left -= nearer;
    }
    (order, priced)
}

/// How many pairs of jobs stand the other way round than by `places`.
fn distance(order: &[JobId], places: &[usize]) -> usize {
    let place = |job: &JobId| places[*job as usize];
    let behind = |(index, job): (usize, &JobId)| {
        order[index + 1..].iter().filter(|other| place(other) < place(job)).count()
    };
    order.iter().enumerate().map(behind).sum()
}

/// A job's move.
#[derive(Clone, Copy)]
struct Step {
    /// Bits that order as costs do.
    cost: u64,
    /// How many more pairs stand as they should.
    nearer: usize,
    position: usize,
    place: usize,
}

/// The cheapest move towards the other order; of equally cheap ones the longest.
fn best_step<T: Time>(order: &[JobId], places: &[usize], moves: &mut MovePricer) -> Option<Step> {
    let mut best: Option<Step> = None;
    let mut first = 0;
    while first < order.len() {
        let count = moves.price(order, first);
        for lane in 0..count {
            let position = first + lane;
            let own = places[order[position] as usize];
            let mut try_places = |passed: &mut dyn Iterator<Item = usize>, is_before: bool| {
                let mut nearer = 0isize;
                for place in passed {
                    let is_inverted = (places[order[place] as usize] > own) == is_before;
                    nearer += if is_inverted { 1 } else { -1 };
                    let Ok(nearer @ 1..) = usize::try_from(nearer) else { continue };
                    let cost = moves.price_at::<T>(lane, place).to_bits();
                    if best.is_none_or(|best| (cost, best.nearer) < (best.cost, nearer)) {
                        best = Some(Step { cost, nearer, position, place });
                    }
                }
            };
            try_places(&mut (0..position).rev(), true);
            try_places(&mut (position + 1..order.len()), false);
        }
        first += count;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;
    use pfss_core::generate::taillard_benchmark;
    use proptest::prelude::*;

    /// The same one move at a time, every order priced as a whole.
    fn plain_step(instance: &Instance<u32>, order: &[JobId], places: &[usize]) -> Option<(u32, usize)> {
        let whole = distance(order, places);
        let mut best: Option<(u32, usize)> = None;
        for position in 0..order.len() {
            for place in 0..order.len() {
                let mut next = order.to_vec();
                let job = next.remove(position);
                next.insert(place, job);
                let left = distance(&next, places);
                if left < whole {
                    let found = (pfss_core::makespan(instance, &next), left);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn each_step_is_the_cheapest_that_leads_nearer(
            one in Just((0..20).collect::<Vec<JobId>>()).prop_shuffle(),
            other in Just((0..20).collect::<Vec<JobId>>()).prop_shuffle(),
        ) {
            let instance = taillard_benchmark(1).unwrap();
            let mut moves = MovePricer::new(&instance);
            let mut places = vec![0; 20];
            other.iter().enumerate().for_each(|(place, &job)| places[job as usize] = place);
            let mut order = one.clone();
            while let Some(step) = best_step::<u32>(&order, &places, &mut moves) {
                let expected = plain_step(&instance, &order, &places);
                let job = order.remove(step.position);
                order.insert(step.place, job);
                let cost = pfss_core::makespan(&instance, &order);
                prop_assert_eq!(Some((cost, distance(&order, &places))), expected);
            }
            prop_assert_eq!(&order, &other);
            let (middle, priced) = halfway::<u32>(&one, &other, &mut moves);
            prop_assert!(2 * distance(&middle, &places) <= distance(&one, &places));
            prop_assert!(priced > 0 || one == other);
        }
    }
}
