//! A permutation flow shop instance: who needs which machine for how long.

use crate::{InstanceError, JobId, Time};

/// More jobs cannot be numbered: room is left for an "unscheduled" mark and for positions that count to all jobs.
pub(crate) const MAX_JOBS: usize = JobId::MAX as usize - 1;

/// A machine's number, 0-based, in the order in which jobs visit them.
pub type MachineId = usize;

/// Processing times of `num_jobs` jobs on `num_machines` machines, immutable and checked.
///
/// Times are stored job by job (`times[job * num_machines + machine]`).
#[derive(Clone, Debug, PartialEq)]
pub struct Instance<T> {
    name: String,
    num_machines: usize,
    times: Vec<T>,
    horizon: T,
    job_names: Option<Vec<String>>,
    machine_names: Option<Vec<String>>,
}

impl<T: Time> Instance<T> {
    /// An instance from times stored job by job.
    ///
    /// # Errors
    /// [`InstanceError`] when there is no job or machine, the last row is incomplete, a time is negative,
    /// infinite or not a number, or when a schedule could be longer than `T` holds.
    pub fn new(name: impl Into<String>, num_machines: usize, times: Vec<T>) -> Result<Self, InstanceError> {
        if num_machines == 0 {
            return Err(InstanceError::NoMachines);
        }
        if times.is_empty() {
            return Err(InstanceError::NoJobs);
        }
        let num_jobs = times.len() / num_machines;
        if num_jobs * num_machines != times.len() {
            let found = times.len() - num_jobs * num_machines;
            return Err(InstanceError::Ragged { row: num_jobs, found, expected: num_machines });
        }
        if num_jobs > MAX_JOBS {
            return Err(InstanceError::TooManyJobs { found: num_jobs, limit: MAX_JOBS });
        }
        if let Some(index) = times.iter().position(|t| !t.is_valid()) {
            return Err(InstanceError::InvalidTime {
                job: index / num_machines,
                machine: index % num_machines,
                value: times[index].to_string(),
            });
        }
        let horizon = horizon(&times, num_machines)
            .ok_or_else(|| InstanceError::Overflow { limit: T::MAX.to_string() })?;
        Ok(Self { name: name.into(), num_machines, times, horizon, job_names: None, machine_names: None })
    }

    /// An instance from one row of times per job.
    ///
    /// # Errors
    /// See [`Instance::new`].
    pub fn from_job_rows<R: AsRef<[T]>>(name: impl Into<String>, rows: &[R]) -> Result<Self, InstanceError> {
        let num_machines = check_rows(rows, InstanceError::NoJobs, InstanceError::NoMachines)?;
        let times = rows.iter().flat_map(|row| row.as_ref().iter().copied()).collect();
        Self::new(name, num_machines, times)
    }

    /// An instance from one row of times per machine.
    ///
    /// # Errors
    /// See [`Instance::new`].
    pub fn from_machine_rows<R: AsRef<[T]>>(
        name: impl Into<String>,
        rows: &[R],
    ) -> Result<Self, InstanceError> {
        let num_jobs = check_rows(rows, InstanceError::NoMachines, InstanceError::NoJobs)?;
        let mut times = Vec::with_capacity(num_jobs * rows.len());
        for job in 0..num_jobs {
            times.extend(rows.iter().map(|row| row.as_ref()[job]));
        }
        Self::new(name, rows.len(), times)
    }

    /// Gives each job a name that appears in every output.
    ///
    /// # Errors
    /// [`InstanceError::NameCount`] when there is not one name per job.
    pub fn with_job_names(mut self, names: Vec<String>) -> Result<Self, InstanceError> {
        check_names("job", &names, self.num_jobs())?;
        self.job_names = Some(names);
        Ok(self)
    }

    /// Gives each machine a name that appears in every output.
    ///
    /// # Errors
    /// [`InstanceError::NameCount`] when there is not one name per machine.
    pub fn with_machine_names(mut self, names: Vec<String>) -> Result<Self, InstanceError> {
        check_names("machine", &names, self.num_machines)?;
        self.machine_names = Some(names);
        Ok(self)
    }

    /// The same instance under another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The instance's name (empty when it has none).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of jobs, `n`.
    pub fn num_jobs(&self) -> usize {
        self.times.len() / self.num_machines
    }

    /// The number of machines, `m`.
    pub fn num_machines(&self) -> usize {
        self.num_machines
    }

    /// How long `job` takes on `machine`.
    ///
    /// # Panics
    /// Where there is no such job or machine.
    #[inline]
    pub fn time(&self, job: JobId, machine: MachineId) -> T {
        self.job(job)[machine]
    }

    /// The times of one job, by machine.
    ///
    /// # Panics
    /// Where there is no such job.
    #[inline]
    pub fn job(&self, job: JobId) -> &[T] {
        let start = job as usize * self.num_machines;
        &self.times[start..start + self.num_machines]
    }

    /// All times, job by job.
    pub fn times(&self) -> &[T] {
        &self.times
    }

    /// The jobs' names, where they have any.
    pub fn job_names(&self) -> Option<&[String]> {
        self.job_names.as_deref()
    }

    /// The machines' names, where they have any.
    pub fn machine_names(&self) -> Option<&[String]> {
        self.machine_names.as_deref()
    }

    /// A job's name, or its number.
    pub fn job_label(&self, job: JobId) -> String {
        self.job_names.as_ref().map_or_else(|| job.to_string(), |names| names[job as usize].clone())
    }

    /// A machine's name, or "M" and its number counted from 1.
    pub fn machine_label(&self, machine: MachineId) -> String {
        self.machine_names
            .as_ref()
            .map_or_else(|| format!("M{}", machine + 1), |names| names[machine].clone())
    }

    /// The work of one job over all machines.
    pub fn total_time(&self, job: JobId) -> T {
        self.job(job).iter().copied().sum()
    }

    /// The mean of all processing times.
    #[expect(clippy::cast_precision_loss, reason = "an instance of 2^53 times fits in no memory")]
    pub fn mean_time(&self) -> f64 {
        self.times.iter().map(|t| t.to_f64()).sum::<f64>() / self.times.len() as f64
    }

    /// A length that no schedule without needless waiting exceeds: a critical path visits every job at
    /// least once and makes `m - 1` further visits.
    pub fn horizon(&self) -> T {
        self.horizon
    }

    /// The mirrored instance: machines in reverse. An order read backwards has the same makespan there.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let times = self.times.chunks_exact(self.num_machines).flat_map(|job| job.iter().rev().copied());
        Self {
            name: self.name.clone(),
            num_machines: self.num_machines,
            times: times.collect(),
            horizon: self.horizon,
            job_names: self.job_names.clone(),
            machine_names: self.machine_names.as_ref().map(|names| names.iter().rev().cloned().collect()),
        }
    }
}

fn horizon<T: Time>(times: &[T], num_machines: usize) -> Option<T> {
    let mut sum = T::ZERO;
    let mut largest = T::ZERO;
    for job in times.chunks_exact(num_machines) {
        let longest = job.iter().copied().fold(T::ZERO, T::maximum);
        sum = sum.checked_add(longest)?;
        largest = largest.maximum(longest);
    }
    for _ in 1..num_machines {
        sum = sum.checked_add(largest)?;
    }
    // MAX itself stays free as the mark of "no value".
    (sum < T::MAX).then_some(sum)
}

fn check_rows<T: Time, R: AsRef<[T]>>(
    rows: &[R],
    no_rows: InstanceError,
    no_columns: InstanceError,
) -> Result<usize, InstanceError> {
    let expected = rows.first().ok_or(no_rows)?.as_ref().len();
    if expected == 0 {
        return Err(no_columns);
    }
    match rows.iter().position(|row| row.as_ref().len() != expected) {
        Some(row) => Err(InstanceError::Ragged { row, found: rows[row].as_ref().len(), expected }),
        None => Ok(expected),
    }
}

fn check_names(what: &'static str, names: &[String], expected: usize) -> Result<(), InstanceError> {
    if names.len() == expected {
        Ok(())
    } else {
        Err(InstanceError::NameCount { what, found: names.len(), expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orientations_give_the_same_instance() {
        let by_job = Instance::from_job_rows("x", &[[1u32, 2, 3], [4, 5, 6]]).unwrap();
        let by_machine = Instance::from_machine_rows("x", &[[1u32, 4], [2, 5], [3, 6]]).unwrap();
        assert_eq!(by_job, by_machine);
        assert_eq!((by_job.num_jobs(), by_job.num_machines()), (2, 3));
        assert_eq!(by_job.job(1), &[4, 5, 6]);
        assert_eq!(by_job.time(0, 2), 3);
    }

    #[test]
    fn bad_matrices_are_typed_errors() {
        assert_eq!(Instance::<u32>::new("", 0, vec![]), Err(InstanceError::NoMachines));
        assert_eq!(Instance::<u32>::new("", 2, vec![]), Err(InstanceError::NoJobs));
        assert_eq!(
            Instance::new("", 2, vec![1u32, 2, 3]),
            Err(InstanceError::Ragged { row: 1, found: 1, expected: 2 })
        );
        assert_eq!(
            Instance::from_job_rows("", &[vec![1u32, 2], vec![3]]),
            Err(InstanceError::Ragged { row: 1, found: 1, expected: 2 })
        );
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            let error = Instance::new("", 2, vec![1.0, 2.0, 3.0, bad]).unwrap_err();
            assert!(matches!(error, InstanceError::InvalidTime { job: 1, machine: 1, .. }), "{error}");
        }
        assert!(matches!(
            Instance::new("", 1, vec![u32::MAX / 2, u32::MAX / 2 + 1]),
            Err(InstanceError::Overflow { .. })
        ));
        assert!(matches!(
            Instance::new("", 1, vec![f64::MAX, f64::MAX]),
            Err(InstanceError::Overflow { .. })
        ));
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_machine_too_many_is_not_the_next_job() {
        Instance::from_job_rows("", &[[1u32, 2], [3, 4]]).unwrap().time(0, 2);
    }

    #[test]
    fn horizon_bounds_the_longest_path() {
        let instance = Instance::from_job_rows("", &[[3u32, 9, 1], [4, 2, 5]]).unwrap();
        assert_eq!(instance.horizon(), 9 + 5 + 2 * 9);
    }
}
