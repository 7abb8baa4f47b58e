//! In which order NEH inserts the jobs.

use pfss_core::{Instance, JobId, Rng, Time};
use rand::seq::SliceRandom;

use super::TieRule;
use super::johnson::johnson_weights;

pfss_core::choice! {
    /// In which order the jobs are inserted.
    pub enum JobOrder {
        /// The usual one for the tie rule: mean-deviation with ff and dong, kk1 with kk1, else total-time.
        Usual = "usual",
        /// Longest total time first (Nawaz, Enscore and Ham 1983).
        TotalTime = "total-time",
        /// Largest mean plus standard deviation first (Dong, Huang and Chen 2008).
        MeanDeviation = "mean-deviation",
        /// Largest smaller Johnson weight first (Kalczynski and Kamburowski 2008).
        Kk1 = "kk1",
        /// As the jobs are numbered.
        Given = "given",
        /// At random, from the run's seed.
        Random = "random",
    }
}

impl JobOrder {
    /// This order, or the usual one for `tie` where none was chosen.
    #[must_use]
    pub fn or_usual(self, tie: TieRule) -> Self {
        match (self, tie) {
            (Self::Usual, TieRule::Ff | TieRule::Dong) => Self::MeanDeviation,
            (Self::Usual, TieRule::Kk1) => Self::Kk1,
            (Self::Usual, TieRule::First | TieRule::Last) => Self::TotalTime,
            _ => self,
        }
    }

    /// The jobs in the order of insertion; equal ones by number. [`JobOrder::Usual`] means total time here.
    pub fn jobs<T: Time>(self, instance: &Instance<T>, rng: &mut Rng) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = (0..instance.num_jobs() as JobId).collect();
        match self {
            Self::TotalTime | Self::Usual => {
                let totals: Vec<T> = jobs.iter().map(|&job| instance.total_time(job)).collect();
                sort_falling(&mut jobs, |job| totals[job as usize].to_f64());
            }
            Self::MeanDeviation => {
                let keys: Vec<f64> = jobs.iter().map(|&job| mean_deviation(instance.job(job))).collect();
                sort_falling(&mut jobs, |job| keys[job as usize]);
            }
            Self::Kk1 => {
                let keys: Vec<f64> = jobs
                    .iter()
                    .map(|&job| {
                        let (a, b) = johnson_weights(instance.job(job));
                        a.min(b)
                    })
                    .collect();
                sort_falling(&mut jobs, |job| keys[job as usize]);
            }
            Self::Given => {}
            Self::Random => jobs.shuffle(rng),
        }
        jobs
    }
}

fn sort_falling(jobs: &mut [JobId], key: impl Fn(JobId) -> f64) {
    jobs.sort_by(|&x, &y| key(y).total_cmp(&key(x)));
}

/// Mean plus sample standard deviation of a job's times.
fn mean_deviation<T: Time>(times: &[T]) -> f64 {
    let m = times.len() as f64;
    let mean = times.iter().map(|t| t.to_f64()).sum::<f64>() / m;
    let squares = times.iter().map(|t| (t.to_f64() - mean).powi(2)).sum::<f64>();
    if times.len() > 1 { mean + (squares / (m - 1.0)).sqrt() } else { mean }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;

    fn jobs(order: JobOrder, rows: &[[u32; 2]]) -> Vec<JobId> {
        let instance = Instance::from_job_rows("", rows).unwrap();
        order.jobs(&instance, &mut Seed::new(1).rng())
    }

    #[test]
    fn longest_jobs_come_first_and_equal_ones_by_number() {
        assert_eq!(jobs(JobOrder::TotalTime, &[[1, 1], [2, 2], [4, 0], [3, 2]]), [3, 1, 2, 0]);
        // Mean 2 each; the second job deviates.
        assert_eq!(jobs(JobOrder::MeanDeviation, &[[2, 2], [4, 0], [2, 2]]), [1, 0, 2]);
        assert_eq!(jobs(JobOrder::Given, &[[1, 1], [2, 2]]), [0, 1]);
    }

    #[test]
    fn two_machine_weights_are_the_times() {
        // With two machines (m - 1)(m - 2) / 2 = 0: a is the first time, b the second.
        assert_eq!(johnson_weights(&[3u32, 7]), (3.0, 7.0));
        assert_eq!(jobs(JobOrder::Kk1, &[[9, 1], [3, 3], [2, 8]]), [1, 2, 0]);
    }
}
