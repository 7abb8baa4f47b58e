//! The paper's NEH at the paper's cost.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan};

/// The rule of `paper-neh` with every order evaluated from its first job: O(m n^3), as the paper's program does. It is
/// there to measure how that grows; nothing else should use it. On real times the two may part where places are
/// equally good up to rounding, which here counts as a tie.
pub(super) struct PlainNeh;

impl<T: Time> Solver<Instance<T>> for PlainNeh {
    fn name(&self) -> &str {
        "paper-neh-plain"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        pfss_core::open(Solver::<Instance<T>>::name(self), instance, run)?;
        let mut jobs: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        let total = |job: JobId| instance.total_time(job);
        jobs.sort_by(|&a, &b| total(b).to_f64().total_cmp(&total(a).to_f64()));
        let mut order: Vec<JobId> = jobs.iter().copied().take(2).collect();
        for &job in jobs.iter().skip(2) {
            // The new job starts in front and moves back place by place.
            order.insert(0, job);
            let mut best = (makespan(instance, &order), 0);
            for place in 1..order.len() {
                order.swap(place - 1, place);
                let cost = makespan(instance, &order);
                if cost.with_tolerance() < best.0 {
                    best = (cost, place);
                }
            }
            run.count(order.len() as u64);
            order.pop();
            order.insert(best.1, job);
        }
        run.offer(&order, makespan(instance, &order));
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss::Settings;
    use pfss_core::generate::{taillard_benchmark, uniform};
    use pfss_core::{Limits, Seed};

    fn solve<T: Time>(solver: &dyn Solver<Instance<T>>, instance: &Instance<T>) -> T {
        solver.solve(instance, &Run::new(Seed::new(1), Limits::default())).unwrap().cost
    }

    #[test]
    fn it_gives_the_orders_of_the_fast_one() {
        let fast = pfss::algorithm("paper-neh").unwrap();
        for number in [1, 11, 31] {
            let instance = taillard_benchmark(number).unwrap();
            assert_eq!(
                solve(&PlainNeh, &instance),
                solve(&*fast.integer(&Settings::new()).unwrap(), &instance)
            );
        }
        // Quarters are exact in binary, so that the two see the same ties.
        for seed in 0..20 {
            let drawn = uniform((15, 5), 1, 40, Seed::new(seed)).unwrap();
            let quarters = drawn.times().iter().map(|&time| f64::from(time) / 4.0).collect();
            let instance = Instance::new("", 5, quarters).unwrap();
            assert_eq!(solve(&PlainNeh, &instance), solve(&*fast.real(&Settings::new()).unwrap(), &instance));
        }
    }
}
