//! NEH as the imitation-learning paper ran it.

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time};

use crate::neh::construct;
use crate::{JobOrder, TieRule, open};

pfss_core::config! {
    /// Parameters of [`PaperNeh`]: none.
    pub struct PaperNehConfig {}
}

/// NEH without trying the first two jobs in both orders: the expert of the imitation-learning paper.
///
/// Longest total time first, ties to the first place. The paper's code costs O(m n^3); here Taillard's
/// acceleration gives the same orders in O(m n^2). Use `neh` for the heuristic as it was published.
pub struct PaperNeh;

impl PaperNeh {
    /// The heuristic.
    pub fn new(_: PaperNehConfig) -> Self {
        Self
    }
}

impl<T: Time> Solver<Instance<T>> for PaperNeh {
    fn name(&self) -> &str {
        "paper-neh"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("paper-neh", instance, run)?;
        let jobs = JobOrder::TotalTime.jobs(instance, &mut run.stream("neh-order"));
        let mut pricer = instance.pricer();
        construct(&mut pricer, instance, &jobs, 2, TieRule::First, run);
        run.offer(pricer.order(), pricer.cost());
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{JobId, Limits, Seed, makespan};
    use proptest::prelude::*;

    /// The algorithm word for word: every place by a full evaluation.
    fn plain(instance: &Instance<u32>) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        jobs.sort_by_key(|&job| std::cmp::Reverse(instance.total_time(job)));
        let mut order = jobs[..jobs.len().min(2)].to_vec();
        for &job in jobs.iter().skip(2) {
            let places = (0..=order.len()).map(|place| {
                let mut longer = order.clone();
                longer.insert(place, job);
                longer
            });
            order = places.min_by_key(|order| makespan(instance, order)).unwrap();
        }
        order
    }

    proptest! {
        #[test]
        fn it_is_the_plain_algorithm(
            (m, times) in (1usize..=12, 1usize..=6)
                .prop_flat_map(|(n, m)| (Just(m), prop::collection::vec(0u32..12, n * m))),
        ) {
            let instance = Instance::new("", m, times).unwrap();
            // Without a bound in the way: the construction itself.
            let run = Run::new(Seed::new(1), Limits::default());
            let jobs = JobOrder::TotalTime.jobs(&instance, &mut run.stream("neh-order"));
            let mut pricer = instance.pricer();
            construct(&mut pricer, &instance, &jobs, 2, TieRule::First, &run);
            let order = plain(&instance);
            prop_assert_eq!(pricer.order(), &order[..]);
            let outcome = PaperNeh::new(PaperNehConfig::default()).solve(&instance, &run).unwrap();
            prop_assert_eq!(outcome.cost, makespan(&instance, &order));
        }
    }
}
