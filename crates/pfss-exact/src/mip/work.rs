//! The part of an instance that a model needs, in numbers that suit a solver with absolute tolerances.

use pfss_core::{Instance, JobId, Time};

/// Integer makespans below this stay unscaled; then the makespan is an integer variable.
const LARGEST_INTEGRAL: f64 = (1u32 << 20) as f64;

/// The jobs that need any machine, and their times in a unit that suits HiGHS.
///
/// A job without any work changes no schedule wherever it stands, so such jobs are left out and put at the
/// end of every order. With them gone, big-M constraints also exclude every cycle (see `predecessor`).
pub(super) struct Work {
    jobs: Vec<JobId>,
    idle_jobs: Vec<JobId>,
    num_machines: usize,
    times: Vec<f64>,
    unit: f64,
    integral: bool,
    lower_bound: f64,
    upper_bound: f64,
}

impl Work {
    /// The work of `instance`, given the makespan of a known order and a proven lower bound.
    pub(super) fn new<T: Time>(instance: &Instance<T>, known: T, lower_bound: T) -> Self {
        let all = 0..instance.num_jobs() as JobId;
        let (jobs, idle_jobs): (Vec<JobId>, Vec<JobId>) =
            all.partition(|&job| instance.job(job).iter().any(|&time| time > T::ZERO));
        let integral = T::IS_INTEGER && known.to_f64() < LARGEST_INTEGRAL;
        let unit = if integral { 1.0 } else { unit(known.to_f64()) };
        let times =
            jobs.iter().flat_map(|&job| instance.job(job)).map(|&time| time.to_f64() / unit).collect();
        // Sums of reals depend on their order in the last bits: never cut off an optimum that meets a bound.
        let slack = if integral { 0.0 } else { 1e-12 };
        let lower_bound = lower_bound.to_f64() / unit * (1.0 - slack);
        let upper_bound = known.to_f64() / unit * (1.0 + slack);
        let num_machines = instance.num_machines();
        Self { jobs, idle_jobs, num_machines, times, unit, integral, lower_bound, upper_bound }
    }

    /// How many jobs have any work.
    pub(super) fn num_jobs(&self) -> usize {
        self.jobs.len()
    }

    /// How many machines there are.
    pub(super) fn num_machines(&self) -> usize {
        self.num_machines
    }

    /// The time of the `job`-th job with work on `machine`, in the model's unit.
    pub(super) fn time(&self, machine: usize, job: usize) -> f64 {
        self.times[job * self.num_machines + machine]
    }

    /// The work of all jobs on `machine`, in the model's unit.
    pub(super) fn machine_total(&self, machine: usize) -> f64 {
        (0..self.num_jobs()).map(|job| self.time(machine, job)).sum()
    }

    /// Whether every makespan is an integer in the model's unit.
    pub(super) fn is_integral(&self) -> bool {
        self.integral
    }

    /// A length that no order undercuts, in the model's unit.
    pub(super) fn lower_bound(&self) -> f64 {
        self.lower_bound
    }

    /// The length of a known order, in the model's unit: longer schedules are of no interest.
    pub(super) fn upper_bound(&self) -> f64 {
        self.upper_bound
    }

    /// A length of the model in the unit of the instance. Exact: the unit is a power of two.
    pub(super) fn to_instance(&self, length: f64) -> f64 {
        length * self.unit
    }

    /// The order of the instance's jobs for an order of the model's jobs.
    pub(super) fn full_order(&self, order: &[usize]) -> Vec<JobId> {
        order.iter().map(|&job| self.jobs[job]).chain(self.idle_jobs.iter().copied()).collect()
    }

    /// The order of the model's jobs within an order of the instance's jobs.
    pub(super) fn model_order(&self, order: &[JobId]) -> Vec<usize> {
        // `jobs` is sorted, because it was picked from 0, 1, 2, ...
        order.iter().filter_map(|job| self.jobs.binary_search(job).ok()).collect()
    }

    /// Start times of the earliest schedule of `order`, position by position, machine by machine.
    pub(super) fn starts(&self, order: &[usize]) -> Vec<f64> {
        let machines = self.num_machines;
        let mut starts = Vec::with_capacity(order.len() * machines);
        let mut machine_free = vec![0.0_f64; machines];
        for &job in order {
            let mut job_free = 0.0_f64;
            for (machine, free) in machine_free.iter_mut().enumerate() {
                let start = job_free.max(*free);
                starts.push(start);
                job_free = start + self.time(machine, job);
                *free = job_free;
            }
        }
        starts
    }
}

/// The power of two that brings `known` into 512..1024.
///
/// HiGHS has absolute tolerances, here 1e-9. In this unit they are about 1e-12 of the makespan, small beside
/// the relative 1e-9 within which real makespans count as equal.
fn unit(known: f64) -> f64 {
    let exponent = known.log2().floor() - 9.0;
    2f64.powi(exponent.clamp(-1022.0, 1022.0) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_without_work_go_to_the_end() {
        let instance = Instance::from_job_rows("", &[[0u32, 0], [3, 1], [0, 0], [0, 2]]).unwrap();
        let work = Work::new(&instance, 6, 4);
        assert_eq!(work.num_jobs(), 2);
        assert_eq!(work.full_order(&[1, 0]), [3, 1, 0, 2]);
        assert_eq!(work.model_order(&[0, 3, 2, 1]), [1, 0]);
        assert_eq!(work.machine_total(0), 3.0);
        assert!(work.is_integral());
    }

    #[test]
    fn reals_are_scaled_by_a_power_of_two() {
        for known in [1e-300, 0.3, 17.9, 700.0, 1e6, 1e300] {
            let instance = Instance::from_job_rows("", &[[known / 3.0, known / 7.0]]).unwrap();
            let work = Work::new(&instance, known, known / 2.0);
            assert_eq!(work.to_instance(work.time(0, 0)), known / 3.0);
            assert!((512.0..1024.0).contains(&(known / work.unit)), "{known}");
        }
    }

    #[test]
    fn starts_are_the_earliest() {
        let instance = Instance::from_job_rows("", &[[2u32, 4], [3, 1]]).unwrap();
        let work = Work::new(&instance, 7, 1);
        assert_eq!(work.starts(&[0, 1]), [0.0, 2.0, 2.0, 6.0]);
    }
}
