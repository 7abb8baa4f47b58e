//! Every order, for the smallest instances and for tests of everything else.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, open};

/// More jobs than this would take hours.
const MAX_JOBS: usize = 12;

pfss_core::config! {
    /// Parameters of [`BruteForce`]: none.
    pub struct BruteForceConfig {}
}

/// Tries every order, extending the front of a common beginning by one job at a time.
pub struct BruteForce;

impl BruteForce {
    /// Brute force.
    pub fn new(_: BruteForceConfig) -> Self {
        Self
    }
}

impl<T: Time> Solver<Instance<T>> for BruteForce {
    fn name(&self) -> &str {
        "brute-force"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        let n = instance.num_jobs();
        if n > MAX_JOBS {
            return Err(SolveError::Unsupported {
                algorithm: "brute-force".to_string(),
                reason: format!(
                    "{n} jobs have too many orders; at most {MAX_JOBS} jobs are accepted, use branch-and-bound"
                ),
            });
        }
        open("brute-force", instance, run)?;
        let mut walk = Walk {
            instance,
            run,
            order: (0..n as JobId).collect(),
            fronts: vec![T::ZERO; (n + 1) * instance.num_machines()],
            ended: false,
        };
        walk.extend(0);
        if !walk.ended {
            run.raise_bound(run.best_cost());
        }
        run.outcome()
    }
}

struct Walk<'w, 'r, T: Time> {
    instance: &'w Instance<T>,
    run: &'w Run<'r, T>,
    order: Vec<JobId>,
    /// When each machine becomes free after the first jobs: one row per number of jobs.
    fronts: Vec<T>,
    ended: bool,
}

impl<T: Time> Walk<'_, '_, T> {
    fn extend(&mut self, placed: usize) {
        let (n, m) = (self.order.len(), self.instance.num_machines());
        if placed == n {
            self.run.count(1);
            self.run.offer(&self.order, self.fronts[n * m + m - 1]);
            // The first order is always tried: every run has an answer.
            self.ended = self.run.stop().is_some();
            return;
        }
        for next in placed..n {
            if self.ended {
                return;
            }
            self.order.swap(placed, next);
            let mut free = T::ZERO;
            for machine in 0..m {
                let ready = free.maximum(self.fronts[placed * m + machine]);
                free = ready + self.instance.time(self.order[placed], machine);
                self.fronts[(placed + 1) * m + machine] = free;
            }
            self.extend(placed + 1);
            self.order.swap(placed, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Seed, Status};

    fn solve(instance: &Instance<u32>, limits: Limits<u32>) -> Result<Outcome<u32>, SolveError> {
        BruteForce::new(BruteForceConfig::default()).solve(instance, &Run::new(Seed::new(1), limits))
    }

    #[test]
    fn three_jobs_by_hand() {
        // Johnson's order 1, 2, 0 takes 1 + 4 + 3 + 2 = 10 on the second machine.
        let instance = Instance::from_job_rows("", &[[4u32, 2], [1, 4], [3, 3]]).unwrap();
        let outcome = solve(&instance, Limits::default()).unwrap();
        assert_eq!((outcome.cost, outcome.status), (10, Status::Optimal));
        assert_eq!(outcome.order.as_slice(), &[1, 2, 0]);
    }

    #[test]
    fn limits_and_sizes() {
        let instance = Instance::new("", 2, (0..16).collect()).unwrap();
        let outcome = solve(&instance, Limits { evaluations: Some(1), ..Limits::default() }).unwrap();
        assert_eq!(outcome.evaluations, 1);
        let large = Instance::new("", 1, vec![1u32; 13]).unwrap();
        assert!(matches!(solve(&large, Limits::default()), Err(SolveError::Unsupported { .. })));
    }
}
