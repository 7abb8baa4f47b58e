//! Both bounds together.

use std::time::Duration;

use super::one_machine::one_machine_bound;
use super::two_machine::{MAX_WORK, two_machine_bound_above};
use crate::{Instance, Run, Time};

/// The larger of the one-machine and the two-machine bound: no order has a smaller makespan.
///
/// Exact for integers. Reals are summed in `f64`: the bound may exceed the optimum by rounding alone, far
/// within the tolerance of [`Time::meets`].
pub fn lower_bound<T: Time>(instance: &Instance<T>) -> T {
    two_machine_bound_above(instance, one_machine_bound(instance), MAX_WORK, &|| true)
}

/// As [`lower_bound`], but very large instances look at fewer pairs of machines, so that it takes only about a
/// quarter of `time`.
pub fn lower_bound_within<T: Time>(instance: &Instance<T>, time: Duration) -> T {
    two_machine_bound_above(instance, one_machine_bound(instance), work_within(time), &|| true)
}

/// The bound that a run has time for, and no longer than that run.
pub(crate) fn lower_bound_during<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> T {
    let work = run.limits().time.map_or(MAX_WORK, work_within);
    two_machine_bound_above(instance, one_machine_bound(instance), work, &|| !run.is_called_off())
}

/// Key comparisons that take about a quarter of `time`.
fn work_within(time: Duration) -> f64 {
    MAX_WORK.min(MAX_WORK / 4.0 * time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::taillard_benchmark;
    use crate::{JobId, makespan, two_machine_bound};
    use proptest::prelude::*;

    /// The least makespan over all orders, by trying them all.
    fn optimum<T: Time>(instance: &Instance<T>) -> T {
        fn extend<T: Time>(instance: &Instance<T>, order: &mut Vec<JobId>, fixed: usize, best: &mut T) {
            if fixed == order.len() {
                *best = best.minimum(makespan(instance, order));
            }
            for next in fixed..order.len() {
                order.swap(fixed, next);
                extend(instance, order, fixed + 1, best);
                order.swap(fixed, next);
            }
        }
        let mut order: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        let mut best = T::MAX;
        extend(instance, &mut order, 0, &mut best);
        best
    }

    fn matrix<S: Strategy + Clone>(time: S) -> impl Strategy<Value = (usize, Vec<S::Value>)>
    where
        S::Value: Clone,
    {
        (1usize..=7, 1usize..=5)
            .prop_flat_map(move |(n, m)| (Just(m), prop::collection::vec(time.clone(), n * m)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn no_integer_order_undercuts_the_bounds((m, times) in matrix(0u32..20)) {
            let instance = Instance::new("", m, times).unwrap();
            let best = optimum(&instance);
            prop_assert!(one_machine_bound(&instance) <= best);
            prop_assert!(two_machine_bound(&instance) <= best);
            prop_assert_eq!(
                lower_bound(&instance),
                one_machine_bound(&instance).max(two_machine_bound(&instance))
            );
        }

        #[test]
        fn no_real_order_undercuts_the_bound((m, times) in matrix(0.0f64..3.0)) {
            let instance = Instance::new("", m, times).unwrap();
            let (best, bound) = (optimum(&instance), lower_bound(&instance));
            prop_assert!(bound <= best + best * 1e-9);
        }

        #[test]
        fn two_machines_and_one_job_are_exact(times in prop::collection::vec(0u32..20, 2..14)) {
            if times.len() % 2 == 0 {
                let instance = Instance::new("", 2, times.clone()).unwrap();
                prop_assert_eq!(lower_bound(&instance), optimum(&instance));
            }
            let job = Instance::new("", times.len(), times.clone()).unwrap();
            prop_assert_eq!(lower_bound(&job), times.iter().sum::<u32>());
        }
    }

    #[test]
    fn the_bound_of_the_mirrored_instance_is_the_same() {
        for number in [1, 31, 51, 81] {
            let instance = taillard_benchmark(number).unwrap();
            let mirrored = instance.reversed();
            assert_eq!(one_machine_bound(&instance), one_machine_bound(&mirrored));
            assert_eq!(two_machine_bound(&instance), two_machine_bound(&mirrored));
        }
    }

    #[test]
    fn short_of_time_the_bound_is_lower_at_most() {
        let instance = taillard_benchmark(81).unwrap();
        let (full, one) = (lower_bound(&instance), one_machine_bound(&instance));
        assert_eq!(lower_bound_within(&instance, Duration::from_secs(1)), full);
        assert_eq!(lower_bound_within(&instance, Duration::ZERO), one);
        let some = lower_bound_within(&instance, Duration::from_micros(100));
        assert!(some >= one && some <= full);
    }

    #[test]
    fn extreme_sizes_and_times() {
        let largest = Instance::new("", 1, vec![u32::MAX - 1]).unwrap();
        assert_eq!(lower_bound(&largest), u32::MAX - 1);
        let zero = Instance::new("", 3, vec![0u32; 12]).unwrap();
        assert_eq!(lower_bound(&zero), 0);
        let wide = Instance::new("", 5, vec![(u32::MAX - 1) / 7; 15]).unwrap();
        assert_eq!(lower_bound(&wide), (u32::MAX - 1) / 7 * 7);
    }
}
