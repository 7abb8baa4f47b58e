//! Pricing a block of jobs that stays together.

use pfss_core::{FlowShopPricer, Instance, JobId, Time};

/// The place at which `block`, kept together, makes the shortest sequence, and that sequence's cost.
///
/// Taillard's acceleration for a block: the heads before the place run through the block's jobs, then the
/// tails from the place on are added. O(n b m). Ties go to the first place.
pub(super) fn best_block_place<T: Time>(
    pricer: &FlowShopPricer<'_, T>,
    instance: &Instance<T>,
    block: &[JobId],
    front: &mut Vec<T>,
) -> (usize, T) {
    let num_machines = instance.num_machines();
    let (mut best_place, mut best_cost) = (0, T::MAX);
    for place in 0..=pricer.order().len() {
        front.clear();
        front.extend(
            (0..num_machines).map(
                |machine| {
                    if place == 0 { T::ZERO } else { pricer.head(place - 1, machine) }
                },
            ),
        );
        for &job in block {
            let mut previous = T::ZERO;
            for (free, &time) in front.iter_mut().zip(instance.job(job)) {
                previous = free.maximum(previous) + time;
                *free = previous;
            }
        }
        let cost = front
            .iter()
            .enumerate()
            .map(|(machine, &end)| end + pricer.tail(place, machine))
            .fold(T::ZERO, T::maximum);
        if cost < best_cost {
            (best_place, best_cost) = (place, cost);
        }
    }
    (best_place, best_cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::makespan;

    #[test]
    fn block_prices_equal_the_plain_makespan() {
        let instance = taillard_benchmark(11).unwrap();
        let mut pricer = instance.pricer();
        let rest: Vec<JobId> = (3..20).collect();
        pricer.load(&rest);
        let block = [2, 0, 1];
        let (place, cost) = best_block_place(&pricer, &instance, &block, &mut Vec::new());
        let costs: Vec<u32> = (0..=rest.len())
            .map(|place| {
                let order = [&rest[..place], &block, &rest[place..]].concat();
                makespan(&instance, &order)
            })
            .collect();
        assert_eq!(cost, *costs.iter().min().unwrap());
        assert_eq!(costs.iter().position(|&c| c == cost), Some(place));
    }
}
