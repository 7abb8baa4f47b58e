//! Which differences of scores count as small.

use pfss_core::JobId;
use pfss_core::timing::{Line, Objective};

/// The temperature of Metropolis' rule: a share of a mean processing time, in units of the most important objective.
pub(super) fn temperature(line: &Line, share: f64) -> f64 {
    let n = line.num_jobs() as f64;
    let jobs = || 0..line.num_jobs() as JobId;
    let mean = |of: &dyn Fn(JobId) -> u64| jobs().map(|job| of(job) as f64).sum::<f64>() / n;
    let (makespan, max_lateness) = line.costs_of_greatest();
    let time = line.shop().mean_time().max(1e-9);
    share
        * match line.objectives().next() {
            Some(Objective::TotalCompletion) => mean(&|job| line.job_cost(job).completion) * time,
            Some(Objective::TotalTardiness) => mean(&|job| line.job_cost(job).tardiness) * time,
            Some(Objective::LateJobs) => mean(&|job| line.job_cost(job).late),
            Some(Objective::MaxLateness) => max_lateness as f64 * time,
            Some(Objective::Makespan) | None => makespan as f64 * time,
        }
}
