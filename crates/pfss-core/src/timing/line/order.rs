//! Which orders are allowed: fixed jobs and precedence, checked.

use crate::JobId;
use crate::timing::{AttributeError, Attributes};

/// Fixed jobs and precedence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    pub(crate) first: Vec<JobId>,
    pub(crate) precedence: Vec<(JobId, JobId)>,
    /// By job, among those that are not fixed; empty where there are none.
    pub(crate) predecessors: Vec<Vec<JobId>>,
    pub(crate) successors: Vec<Vec<JobId>>,
}

impl Order {
    pub(crate) fn new(
        attributes: &Attributes,
        num_jobs: usize,
        label: &dyn Fn(usize) -> String,
    ) -> Result<Self, AttributeError> {
        let (first, precedence) = (&attributes.first, &attributes.precedence);
        let exists = |place, job: JobId| match (job as usize) < num_jobs {
            true => Ok(()),
            false => Err(AttributeError::NoSuchJob { place, job, last: num_jobs - 1 }),
        };
        let mut fixed_at = vec![usize::MAX; num_jobs];
        for (later, &job) in first.iter().enumerate() {
            exists("first", job)?;
            let earlier = std::mem::replace(&mut fixed_at[job as usize], later);
            if earlier != usize::MAX {
                return Err(AttributeError::FixedTwice { job: label(job as usize), earlier, later });
            }
        }
        let mut order = Self { first: first.clone(), precedence: precedence.clone(), ..Self::default() };
        let mut all = vec![Vec::new(); if precedence.is_empty() { 0 } else { num_jobs }];
        for &(before, after) in precedence {
            exists("precedence", before)?;
            exists("precedence", after)?;
            all[after as usize].push(before);
        }
        if let Some(circle) = circle(&all) {
            let jobs = circle.iter().map(|&job| label(job as usize)).collect();
            return Err(AttributeError::Circle { jobs });
        }
        for &(before, after) in precedence {
            let (earlier, later) = (fixed_at[before as usize], fixed_at[after as usize]);
            if later != usize::MAX && earlier >= later {
                let (before, after) = (label(before as usize), label(after as usize));
                return Err(AttributeError::FixedAgainstPrecedence { before, after });
            }
            if earlier == usize::MAX {
                order.predecessors.resize(num_jobs, Vec::new());
                order.successors.resize(num_jobs, Vec::new());
                order.predecessors[after as usize].push(before);
                order.successors[before as usize].push(after);
            }
        }
        Ok(order)
    }
}

/// Jobs in a circle of predecessors, the first also last, in the order of precedence.
fn circle(predecessors: &[Vec<JobId>]) -> Option<Vec<JobId>> {
    // Jobs without a predecessor that is left are taken away; whoever remains has a predecessor that remains.
    let mut left: Vec<usize> = predecessors.iter().map(Vec::len).collect();
    let mut successors = vec![Vec::new(); predecessors.len()];
    for (job, before) in predecessors.iter().enumerate() {
        for &before in before {
            successors[before as usize].push(job);
        }
    }
    let mut free: Vec<usize> = (0..left.len()).filter(|&job| left[job] == 0).collect();
    while let Some(job) = free.pop() {
        for &after in &successors[job] {
            left[after] -= 1;
            if left[after] == 0 {
                free.push(after);
            }
        }
    }
    let mut job = crate::permutation::job_id(left.iter().position(|&count| count > 0)?);
    let mut path = Vec::new();
    let mut place_on_path = vec![usize::MAX; left.len()];
    while place_on_path[job as usize] == usize::MAX {
        place_on_path[job as usize] = path.len();
        path.push(job);
        job = predecessors[job as usize].iter().copied().find(|&before| left[before as usize] > 0)?;
    }
    let mut circle = path.split_off(place_on_path[job as usize]);
    circle.push(job);
    circle.reverse();
    Some(circle)
}
