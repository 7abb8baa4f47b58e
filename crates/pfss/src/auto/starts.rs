//! Constructive starts: an order within milliseconds, for any size.

use pfss_core::{InsertionPricer, InsertionProblem, Instance, JobId, Run, Time, makespan};
use pfss_heuristics::{JobOrder, TieRule, construct, offer_johnson_orders, slope_order};

/// Places priced per second, cautiously: decides whether NEH fits.
const PLACES_PER_SECOND: f64 = 2e7;

/// Offers the sorting rules of Palmer and of Campbell, Dudek and Smith, then NEH on the instance and on its
/// mirror image where a tenth of the limit suffices for that.
pub(super) fn offer_starts<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) {
    let order = slope_order(instance);
    run.count(1);
    run.offer(&order, makespan(instance, &order));
    if !run.must_end() {
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

/// Looks at the limits and not at the clock, so that an evaluation budget gives the same answer everywhere.
fn insertion_fits<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) -> bool {
    let places = (instance.num_jobs() as f64).powi(2);
    let limits = run.limits();
    limits.evaluations.is_none_or(|limit| places <= limit as f64)
        && limits.time.is_none_or(|limit| places <= 0.2 * limit.as_secs_f64() * PLACES_PER_SECOND)
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
}
