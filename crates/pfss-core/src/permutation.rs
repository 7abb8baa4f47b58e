//! An order of all jobs.

use crate::PermutationError;

/// A job's number, 0-based.
pub type JobId = u32;

/// The number of the job at an index, or how many jobs there are.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "no instance has more jobs than there are numbers")]
pub(crate) const fn job_id(index: usize) -> JobId {
    debug_assert!(index <= JobId::MAX as usize);
    index as JobId
}

/// An order of all jobs: each job stands exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation(Vec<JobId>);

impl Permutation {
    /// The jobs in their given order, `0, 1, ..., num_jobs - 1`. No instance has more jobs than [`JobId`] numbers, and
    /// no order is longer.
    pub fn identity(num_jobs: usize) -> Self {
        Self((0..JobId::try_from(num_jobs).unwrap_or(JobId::MAX)).collect())
    }

    /// Checks that `order` holds each of `num_jobs` jobs exactly once.
    ///
    /// # Errors
    /// [`PermutationError`] names the first place that is wrong.
    pub fn new(order: Vec<JobId>, num_jobs: usize) -> Result<Self, PermutationError> {
        const UNSEEN: usize = usize::MAX;
        if order.len() != num_jobs {
            return Err(PermutationError::WrongLength { found: order.len(), expected: num_jobs });
        }
        let mut seen_at = vec![UNSEEN; num_jobs];
        for (position, &job) in order.iter().enumerate() {
            let Some(seen) = seen_at.get_mut(job as usize) else {
                let last = num_jobs as u64 - 1;
                return Err(PermutationError::OutOfRange { position, job: u64::from(job), last });
            };
            if *seen != UNSEEN {
                let job = u64::from(job);
                return Err(PermutationError::Duplicate { job, first: *seen, second: position });
            }
            *seen = position;
        }
        Ok(Self(order))
    }

    /// The jobs in order.
    pub fn as_slice(&self) -> &[JobId] {
        &self.0
    }

    /// The jobs in order, owned.
    pub fn into_vec(self) -> Vec<JobId> {
        self.0
    }
}

impl std::ops::Deref for Permutation {
    type Target = [JobId];

    fn deref(&self) -> &[JobId] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_orders_of_all_jobs_only() {
        assert_eq!(Permutation::new(vec![1, 0, 2], 3).unwrap().as_slice(), &[1, 0, 2]);
        assert_eq!(
            Permutation::new(vec![1, 0], 3),
            Err(PermutationError::WrongLength { found: 2, expected: 3 })
        );
        assert_eq!(
            Permutation::new(vec![1, 3, 0], 3),
            Err(PermutationError::OutOfRange { position: 1, job: 3, last: 2 })
        );
        assert_eq!(
            Permutation::new(vec![1, 0, 1], 3),
            Err(PermutationError::Duplicate { job: 1, first: 0, second: 2 })
        );
    }
}
