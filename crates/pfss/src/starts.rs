//! Constructive starts: an order within milliseconds, for any size.

use pfss_core::simd::Instructions;
use pfss_core::{Instance, JobId, Run, Time, makespan};
use pfss_heuristics::{JobOrder, TieRule, construct, offer_johnson_orders, slope_order};
use pfss_neural::FrontConfig;

use crate::models::{self, LoadedPolicy};

/// Places priced per second, cautiously: decides whether NEH fits.
const PLACES_PER_SECOND: f64 = 2e7;

/// With more machines than this, as many orders by Johnson's rule would take longer than better starts.
const MANY_MACHINES: usize = 256;

/// Offers the sorting rules of Palmer and of Campbell, Dudek and Smith, then NEH on the instance and on its
/// mirror image where a tenth of the limit suffices for that.
pub(crate) fn offer_starts<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) {
    let order = slope_order(instance);
    run.count(1);
    run.offer(&order, makespan(instance, &order));
    if !run.must_end() && instance.num_machines() <= MANY_MACHINES {
        offer_johnson_orders(instance, run);
    }
    if run.must_end() || !insertion_fits(instance, run) {
        return;
    }
    let order = neh(instance, run);
    run.offer(&order, makespan(instance, &order));
    if !run.must_end() {
        let mirror = instance.reversed();
        let order: Vec<JobId> = neh(&mirror, run).into_iter().rev().collect();
        // Reals may round differently from the other side: the plain makespan counts.
        run.offer(&order, makespan(instance, &order));
    }
}

fn neh<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> Vec<JobId> {
    let tie = TieRule::Ff;
    let jobs = JobOrder::Usual.or_usual(tie).jobs(instance, &mut run.stream("neh-order"));
    let mut pricer = instance.pricer();
    construct(&mut pricer, instance, &jobs, 0, tie, run);
    pricer.order().to_vec()
}

/// Whether there is time for NEH. Looks at the limits and not at the clock, so that an evaluation budget gives the same answer
/// everywhere.
pub(crate) fn insertion_fits<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> bool {
    let places = (instance.num_jobs() as f64).powi(2);
    let limits = run.limits();
    limits.evaluations.is_none_or(|limit| places <= limit as f64)
        && limits.time.is_none_or(|limit| places <= 0.2 * limit.as_secs_f64() * PLACES_PER_SECOND)
}

/// The share of a limit that the policy may take, by the number of jobs; whether it then pays is for the table of plans to say. On
/// 200 jobs nothing else is as good within twice the time that the policy takes; on 100 jobs iterated greedy is.
fn policy_share(num_jobs: usize) -> f64 {
    (num_jobs as f64 / 220.0).clamp(0.5, 0.9)
}

/// Multiply-adds of the policy that take as long as one evaluation, for limits that count these. A place of a job takes
/// some nanoseconds.
const PRODUCTS_PER_EVALUATION: f64 = 100.0;

/// The most multiply-adds of a start where nothing is limited: some seconds.
const MOST_PRODUCTS: f64 = 1e11;

/// Seconds to read the policy's model.
const READING: f64 = 0.005;

/// Offers the bidirectional policy's greedy order. Asks for nothing but its end: see [`policy_fits`].
pub(crate) fn offer_policy<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) {
    if run.must_end() {
        return;
    }
    let Ok(LoadedPolicy::Front(policy)) = models::load_for("", instance.num_machines()) else { return };
    if let Some(order) = policy.greedy_while(instance, &|| !run.must_end()) {
        run.count(1);
        run.offer(&order, makespan(instance, &order));
    }
}

/// Whether a part of the limit is enough for the policy's order. Looks at the limits and not at the clock, and reads no model: that
/// takes longer than some limits are.
pub(crate) fn policy_fits<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> bool {
    let num_jobs = instance.num_jobs();
    let products = FrontConfig::default().multiply_adds(num_jobs, instance.num_machines());
    // Multiply-adds in a second; with 512 bits 40 to 49 billion were measured on 50 to 800 jobs.
    let speed = match Instructions::detect().register_bits() {
        512.. => 4e10,
        256.. => 1.5e10,
        _ => 5e8,
    };
    let limits = run.limits();
    let fits = |products: f64, limit: f64| products <= policy_share(num_jobs) * limit;
    products <= MOST_PRODUCTS
        && limits.evaluations.is_none_or(|limit| fits(products, limit as f64 * PRODUCTS_PER_EVALUATION))
        && limits.time.is_none_or(|limit| fits(products + READING * speed, limit.as_secs_f64() * speed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed};
    use std::time::Duration;

    #[test]
    fn large_instances_skip_insertion() {
        let instance = taillard_benchmark(111).unwrap();
        let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
        assert!(!insertion_fits(&instance, &Run::new(Seed::new(1), limits)));
        let run = Run::new(Seed::new(1), Limits::default());
        assert!(insertion_fits(&instance, &run));
        offer_starts(&instance, &run);
        assert!(run.best_cost() <= 26_700);
    }

    #[test]
    fn the_policy_is_a_start_where_it_is_cheap() {
        let fits = |number: usize, limits: Limits<u32>| {
            policy_fits(&taillard_benchmark(number).unwrap(), &Run::new(Seed::new(1), limits))
        };
        let time =
            |milliseconds| Limits { time: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
        let evaluations = |count| Limits { evaluations: Some(count), ..Limits::default() };
        assert!(
            fits(1, Limits::default()) && fits(1, evaluations(10_000_000)) && !fits(1, evaluations(100_000))
        );
        assert!(!fits(1, time(5)) && !fits(51, time(1)) && !fits(111, time(100)) && fits(111, time(60_000)));
        let huge = Instance::new("", 5, vec![1u32; 500_000]).unwrap();
        assert!(!policy_fits(&huge, &Run::new(Seed::new(1), Limits::default())));
        let instance = taillard_benchmark(1).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        offer_policy(&instance, &run);
        let (order, cost) = run.best().unwrap();
        assert_eq!((makespan(&instance, &order), run.evaluations()), (cost, 1));
    }

    #[test]
    fn what_is_expected_of_the_built_in_policies_is_what_they_do() {
        for machines in [5, 60] {
            let Ok(LoadedPolicy::Front(policy)) = models::load_for("", machines) else { panic!("no policy") };
            assert_eq!(
                policy.multiply_adds(300, machines),
                FrontConfig::default().multiply_adds(300, machines)
            );
        }
    }
}
