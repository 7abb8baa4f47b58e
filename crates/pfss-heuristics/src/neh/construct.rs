//! Best insertion of one job after the other.

use pfss_core::{FlowShopPricer, Instance, JobId, Run, Time};

use super::TieRule;

/// Builds a sequence of all of `jobs`: the first `fixed` ones stand as they are given, the others are
/// inserted one after the other at their best places. The pricer then holds the sequence.
///
/// When the run must end, the jobs that are left are appended. Nothing is offered to the run.
pub fn construct<T: Time>(
    pricer: &mut FlowShopPricer<'_, T>,
    instance: &Instance<T>,
    jobs: &[JobId],
    fixed: usize,
    tie: TieRule,
    run: &Run<'_, T>,
) {
    let fixed = fixed.min(jobs.len());
    pricer.load(&jobs[..fixed]);
    for (index, &job) in jobs.iter().enumerate().skip(fixed) {
        if run.must_end() {
            let mut order = pricer.order().to_vec();
            order.extend_from_slice(&jobs[index..]);
            pricer.load(&order);
            run.count(1);
            return;
        }
        let least = pricer.price(job);
        run.count(pricer.num_places() as u64);
        let place = tie.place(pricer, instance, job, least);
        pricer.insert(job, place);
    }
}
