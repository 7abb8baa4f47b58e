//! The heuristic of Campbell, Dudek and Smith.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan};

use crate::open;

pfss_core::config! {
    /// Parameters of [`Cds`]: none.
    pub struct CdsConfig {}
}

/// Solves `m - 1` two-machine problems by Johnson's rule, made of the first `k` and the last `k` machines,
/// and takes the best of these orders (Campbell, Dudek and Smith 1970).
pub struct Cds;

impl Cds {
    /// The heuristic.
    pub fn new(_: CdsConfig) -> Self {
        Self
    }
}

/// The optimal order for two machines (Johnson 1954): jobs that are shorter on the first machine by rising
/// first time, then the others by falling second time. Equal jobs by number.
fn johnson_order<T: Time>(first: &[T], second: &[T]) -> Vec<JobId> {
    // The bits of times order as the times do.
    let mut keys: Vec<(bool, u64, JobId)> = first
        .iter()
        .zip(second)
        .zip(0..)
        .map(|((&a, &b), job)| if a < b { (false, a.to_bits(), job) } else { (true, !b.to_bits(), job) })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, _, job)| job).collect()
}

/// Offers the orders of all two-machine problems to the run, at least one of them.
pub fn offer_johnson_orders<T: Time>(instance: &Instance<T>, run: &Run<'_, T>) {
    let (n, m) = (instance.num_jobs(), instance.num_machines());
    let (mut first, mut second) = (vec![T::ZERO; n], vec![T::ZERO; n]);
    for k in 0..(m - 1).max(1) {
        for (job, times) in instance.times().chunks_exact(m).enumerate() {
            first[job] += times[k];
            second[job] += times[m - 1 - k];
        }
        let order = johnson_order(&first, &second);
        run.count(1);
        run.offer(&order, makespan(instance, &order));
        if run.must_end() {
            break;
        }
    }
}

impl<T: Time> Solver<Instance<T>> for Cds {
    fn name(&self) -> &str {
        "cds"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("cds", instance, run)?;
        offer_johnson_orders(instance, run);
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Seed, Status};

    #[test]
    fn johnson_by_hand() {
        assert_eq!(johnson_order(&[4u32, 1, 3, 2], &[2, 4, 3, 9]), [1, 3, 2, 0]);
        assert_eq!(johnson_order(&[4.5, 1.0, 0.0], &[2.0, 4.0, 1.0]), [2, 1, 0]);
    }

    #[test]
    fn two_machines_are_solved_exactly() {
        let instance = Instance::from_job_rows("", &[[4u32, 2], [1, 4], [3, 3], [2, 9], [0, 1]]).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let outcome = Cds::new(CdsConfig::default()).solve(&instance, &run).unwrap();
        assert_eq!(outcome.status, Status::Optimal);
    }
}
