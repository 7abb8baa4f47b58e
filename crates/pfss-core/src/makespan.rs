//! The plain makespan recurrence: the oracle that every fast kernel is compared with.

use crate::{Instance, JobId, Time};

/// The makespan of a sequence of jobs (all of them, or a part).
///
/// `C(l, i) = max(C(l - 1, i), C(l, i - 1)) + p(job at l, i)`; O(n m) time, O(m) memory.
///
/// Jobs that stand more than once may sum up to more than `T` holds; [`check`](crate::check) refuses such orders.
///
/// # Panics
/// Where a job does not exist.
pub fn makespan<T: Time>(instance: &Instance<T>, order: &[JobId]) -> T {
    let mut completion = vec![T::ZERO; instance.num_machines()];
    for &job in order {
        let mut previous = T::ZERO;
        for (machine, &time) in completion.iter_mut().zip(instance.job(job)) {
            previous = machine.maximum(previous) + time;
            *machine = previous;
        }
    }
    completion[instance.num_machines() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makespan_of_a_hand_made_example() {
        // Machine 0: 3 then 2; machine 1: 4 starts at 3, 1 starts at 7.
        let instance = Instance::from_job_rows("", &[[3u32, 4], [2, 1]]).unwrap();
        assert_eq!(makespan(&instance, &[0, 1]), 8);
        assert_eq!(makespan(&instance, &[1, 0]), 9);
        assert_eq!(makespan(&instance, &[]), 0);
    }

    #[test]
    fn a_single_job_or_machine_is_a_sum() {
        let job = Instance::from_job_rows("", &[[3u32, 0, 4]]).unwrap();
        assert_eq!(makespan(&job, &[0]), 7);
        let machine = Instance::new("", 1, vec![0.5, 1.25]).unwrap();
        assert_eq!(makespan(&machine, &[1, 0]), 1.75);
    }
}
