//! What every solver does first.

use crate::{Instance, PermutationProblem, Run, SolveError, Time, makespan};

/// Raises the instance's lower bound in the run and offers the order to start from, where one was given.
///
/// # Errors
/// [`SolveError::Unsupported`] when the start order is not an order of this instance's jobs.
pub fn open<T: Time>(algorithm: &str, instance: &Instance<T>, run: &Run<'_, T>) -> Result<(), SolveError> {
    if let Some(start) = run.start() {
        if start.len() != instance.num_jobs() {
            return Err(SolveError::Unsupported {
                algorithm: algorithm.to_string(),
                reason: format!(
                    "the order to start from has {} jobs, but the instance has {}",
                    start.len(),
                    instance.num_jobs()
                ),
            });
        }
        run.count(1);
        run.offer(start, makespan(instance, start));
    }
    run.raise_bound(instance.lower_bound_during(run));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Permutation, Seed};

    #[test]
    fn a_start_of_another_instance_is_an_error() {
        let instance = Instance::new("", 2, vec![1u32, 2, 3, 4]).unwrap();
        let run = Run::new(Seed::new(1), Limits::default()).with_start(Permutation::identity(3));
        assert!(matches!(open("neh", &instance, &run), Err(SolveError::Unsupported { .. })));
        let run = Run::new(Seed::new(1), Limits::default()).with_start(Permutation::identity(2));
        open("neh", &instance, &run).unwrap();
        assert_eq!(run.best_cost(), 8);
        assert_eq!(run.bound(), 8);
    }
}
