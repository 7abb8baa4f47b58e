//! Which of several equally good places a job gets.

use pfss_core::{FlowShopPricer, Instance, JobId, Time};

use super::johnson::johnson_weights;

pfss_core::choice! {
    /// Which of several equally good places a job gets.
    pub enum TieRule {
        /// The first one.
        First = "first",
        /// The last one.
        Last = "last",
        /// The one with the least idle time (Fernandez-Viagas and Framinan 2014).
        Ff = "ff",
        /// The first one for jobs that belong to the front, else the last one (Kalczynski and Kamburowski 2008).
        Kk1 = "kk1",
        /// The one with the most even use of the machines (Dong, Huang and Chen 2008).
        Dong = "dong",
    }
}

impl TieRule {
    /// The place for `job` among those that cost `least` in the pricing just made.
    pub fn place<T: Time>(
        self,
        pricer: &FlowShopPricer<'_, T>,
        instance: &Instance<T>,
        job: JobId,
        least: T,
    ) -> usize {
        match self {
            Self::First => first_tied(pricer, least, 0).unwrap_or(0),
            Self::Last => last_tied(pricer, least),
            Self::Kk1 => {
                let (a, b) = johnson_weights(instance.job(job));
                if a <= b { first_tied(pricer, least, 0).unwrap_or(0) } else { last_tied(pricer, least) }
            }
            Self::Ff => pricer.least_idle_place(job, least),
            Self::Dong => argmin(pricer, least, |place| unevenness(pricer, instance, job, place)),
        }
    }
}

/// The first place at or after `from` that costs `least`.
///
/// Prices of reals are sums in different orders: equal ones may differ in their last bits.
pub(crate) fn first_tied<T: Time>(pricer: &FlowShopPricer<'_, T>, least: T, from: usize) -> Option<usize> {
    pricer.place_at_most(least.with_tolerance(), from)
}

fn last_tied<T: Time>(pricer: &FlowShopPricer<'_, T>, least: T) -> usize {
    pricer.last_place_at_most(least.with_tolerance()).unwrap_or(0)
}

/// The first tied place with the least `measure`, which is not asked for when there is no tie.
fn argmin<T: Time>(pricer: &FlowShopPricer<'_, T>, least: T, measure: impl Fn(usize) -> f64) -> usize {
    let Some(mut best) = first_tied(pricer, least, 0) else { return 0 };
    let mut next = first_tied(pricer, least, best + 1);
    if next.is_none() {
        return best;
    }
    let mut best_measure = measure(best);
    while let Some(place) = next {
        let value = measure(place);
        if value < best_measure {
            (best, best_measure) = (place, value);
        }
        next = first_tied(pricer, least, place + 1);
    }
    best
}

/// How unevenly `job` at `place` uses the machines in the time between its earliest start and latest end:
/// the sum of squared deviations (Dong, Huang and Chen 2008).
fn unevenness<T: Time>(
    pricer: &FlowShopPricer<'_, T>,
    instance: &Instance<T>,
    job: JobId,
    place: usize,
) -> f64 {
    let length = pricer.price_at(place).to_f64();
    let (mut sum, mut squares) = (0.0, 0.0);
    for (machine, time) in instance.job(job).iter().enumerate() {
        let latest_end = length - pricer.tail(place, machine).to_f64();
        let window = latest_end - head_before(pricer, place, machine);
        // No time to wait for: fully used.
        let usage = if window > 0.0 { time.to_f64() / window } else { 1.0 };
        sum += usage;
        squares += usage * usage;
    }
    squares - sum * sum / instance.num_machines() as f64
}

/// When `machine` is free for a job at `place`.
fn head_before<T: Time>(pricer: &FlowShopPricer<'_, T>, place: usize, machine: usize) -> f64 {
    if place == 0 { 0.0 } else { pricer.head(place - 1, machine).to_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Schedule;
    use proptest::prelude::*;

    /// Idle time on all machines but the first, of the schedule of `order`, counted from time zero to the
    /// last job's start on each machine.
    fn front_idle(instance: &Instance<u32>, order: &[JobId], positions: usize) -> i64 {
        let schedule = Schedule::new(instance, order).unwrap();
        (1..instance.num_machines())
            .map(|machine| {
                let mut free = 0;
                let mut idle = 0;
                for position in 0..positions {
                    let operation = schedule.operation(position, machine);
                    idle += i64::from(operation.start - free);
                    free = operation.end;
                }
                idle
            })
            .sum()
    }

    proptest! {
        // The estimate is exact up to the pushed job: what the insertion adds to the idle time before it.
        #[test]
        fn idle_time_is_what_the_insertion_adds(
            times in prop::collection::vec(0u32..20, 4 * 6..=4 * 6), place in 0usize..6,
        ) {
            let instance = Instance::new("", 4, times).unwrap();
            let order: Vec<JobId> = (0..5).collect();
            let mut pricer = instance.pricer();
            pricer.load(&order);
            let mut longer = order.clone();
            longer.insert(place, 5);
            let added = if place == 5 {
                front_idle(&instance, &longer, 6) - front_idle(&instance, &order, 5)
            } else {
                front_idle(&instance, &longer, place + 2) - front_idle(&instance, &order, place + 1)
            };
            prop_assert_eq!(pricer.idle_time_added(5, place), added as f64);
        }
    }

    #[test]
    fn rules_choose_among_ties_only() {
        let instance = Instance::from_job_rows("", &[[2u32, 2], [2, 2], [2, 2], [1, 1]]).unwrap();
        let mut pricer = instance.pricer();
        pricer.load(&[0, 1, 2]);
        let least = pricer.price(3);
        assert_eq!(least, 9);
        assert_eq!(pricer.count_at_most(least), 4);
        assert_eq!(TieRule::First.place(&pricer, &instance, 3, least), 0);
        assert_eq!(TieRule::Last.place(&pricer, &instance, 3, least), 3);
        assert_eq!(TieRule::Kk1.place(&pricer, &instance, 3, least), 0);
        for &rule in TieRule::ALL {
            assert_eq!(pricer.price_at(rule.place(&pricer, &instance, 3, least)), least);
        }
    }
}
