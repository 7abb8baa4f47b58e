//! Palmer's slope index.

use pfss_core::{Instance, JobId, Outcome, Run, SolveError, Solver, Time, makespan};

use crate::open;

pfss_core::config! {
    /// Parameters of [`Palmer`]: none.
    pub struct PalmerConfig {}
}

/// Orders the jobs by slope: those whose times rise along the machines come first (Palmer 1965).
/// One sort, so it also treats millions of jobs.
pub struct Palmer;

impl Palmer {
    /// The heuristic.
    pub fn new(_: PalmerConfig) -> Self {
        Self
    }
}

/// The jobs by falling slope index, equal ones by number.
pub fn slope_order<T: Time>(instance: &Instance<T>) -> Vec<JobId> {
    let middle = (instance.num_machines() as f64 - 1.0) / 2.0;
    let slopes = instance.times().chunks_exact(instance.num_machines()).map(|times| {
        times.iter().enumerate().map(|(machine, time)| (machine as f64 - middle) * time.to_f64()).sum::<f64>()
    });
    let mut jobs: Vec<(f64, JobId)> = slopes.zip(0..).collect();
    jobs.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    jobs.into_iter().map(|(_, job)| job).collect()
}

impl<T: Time> Solver<Instance<T>> for Palmer {
    fn name(&self) -> &str {
        "palmer"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("palmer", instance, run)?;
        let order = slope_order(instance);
        run.count(1);
        run.offer(&order, makespan(instance, &order));
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rising_jobs_come_first() {
        let rows = [[3u32, 2, 1], [1, 2, 3], [2, 2, 2], [5, 0, 5]];
        let instance = Instance::from_job_rows("", &rows).unwrap();
        assert_eq!(slope_order(&instance), [1, 2, 3, 0]);
    }
}
