//! What follows a position, summed up machine by machine, for lines whose makespan is a longest path.
//!
//! When machine `i` is free at `h[i]` before the last `k` jobs, the makespan is the greatest `h[i] + q[i]` (Taillard 1990 for the
//! plain flow shop; Wang et al. 2010 with blocking), or a path that begins with a release.

use super::front::FrontRules;
use crate::JobId;

/// Tails by number of jobs that are left, so that changes at the front leave them as they are.
#[derive(Clone, Debug)]
pub(super) struct Tails {
    num_machines: usize,
    /// Up to so many last jobs they are known.
    known: usize,
    tails: Vec<u32>,
    /// The longest path from a release of one of the last jobs.
    releases: Vec<u32>,
}

impl Tails {
    pub(super) fn new(num_machines: usize) -> Self {
        Self { num_machines, known: 0, tails: vec![0; num_machines], releases: vec![0] }
    }

    /// Only the last `count` jobs are still the same.
    pub(super) fn keep(&mut self, count: usize) {
        self.known = self.known.min(count);
    }

    /// Computes what is missing for a sequence; tells the number of jobs and the tails of each.
    pub(super) fn complete(
        &mut self,
        rules: &FrontRules<'_>,
        order: &[JobId],
        mut tell: impl FnMut(usize, &[u32]),
    ) {
        let m = self.num_machines;
        self.tails.resize((order.len() + 1) * m, 0);
        self.releases.resize(order.len() + 1, 0);
        for count in self.known + 1..=order.len() {
            let job = order[order.len() - count];
            let (behind, here) = self.tails[(count - 1) * m..(count + 1) * m].split_at_mut(m);
            let path = step(rules, job, behind, here);
            self.releases[count] = self.releases[count - 1].max(path);
            tell(count, here);
        }
        self.known = order.len();
    }

    /// The longest path from a release of one of the last `count` jobs.
    pub(super) fn release(&self, count: usize) -> u32 {
        self.releases[count]
    }
}

/// Writes the tails of a job and all behind it; returns the path from its release.
fn step(rules: &FrontRules<'_>, job: JobId, behind: &[u32], here: &mut [u32]) -> u32 {
    let times = rules.line().shop().job(job);
    let last = times.len() - 1;
    let (behind, here, blocks) = (&behind[..=last], &mut here[..=last], &rules.blocks()[..=last]);
    let mut path = 0;
    for machine in (0..=last).rev() {
        path = path.max(behind[machine]) + times[machine];
        // Where the job before this machine stays until it is free, that job's machine waits, too.
        let blocked = if machine > 0 { behind[machine - 1] & blocks[machine - 1] } else { 0 };
        here[machine] = path.max(blocked);
    }
    path + rules.line().release(job)
}
